import type { ExportValues } from '../../machines/exports/export-form.ts'

/** The server's error of each item; undefined where it has none. `errorOf` is the form's. */
export const itemErrors = (
  { items }: ExportValues,
  errorOf: (field: string) => string | undefined,
): (string | undefined)[] =>
  items.map((_, index) => errorOf(`items.${index}.startTime`) ?? errorOf(`items.${index}.endTime`))
