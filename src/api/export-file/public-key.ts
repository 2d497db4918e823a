/** A key without the white space and the `=` that a copy may have or lack. */
const bare = (key: string): string => key.replace(/[\s=]+/g, '')

/** Whether two texts are the same Base64 of a public key. */
export const isSameKey = (one: string, other: string): boolean => bare(one) === bare(other)
