type Elements<T> = { readonly [Name in keyof T]: NonNullable<T[Name]> }

/** Whether every element of the refs of a component is there. */
export const isComplete = <T extends object>(elements: T): elements is T & Elements<T> =>
  Object.values(elements).every((element) => element !== null)
