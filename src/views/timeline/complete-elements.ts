type Elements<T> = { readonly [Name in keyof T]: NonNullable<T[Name]> }

/** Whether every element that a component has refs to is rendered. */
export const isComplete = <T extends object>(elements: T): elements is T & Elements<T> =>
  Object.values(elements).every((element) => element !== null)
