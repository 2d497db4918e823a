/** A property of a value of unknown type; undefined if it has none. */
export const member = (holder: unknown, key: string): unknown =>
  typeof holder === 'object' && holder !== null ? Reflect.get(holder, key) : undefined
