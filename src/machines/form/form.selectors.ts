import { isDirty } from './form-values.ts'

export const selectIsDirty = ({ context }: { context: { values: object; saved: object } }): boolean => isDirty(context)
