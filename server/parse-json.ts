import type * as z from 'zod/mini'

/** A JSON text by a schema; undefined if it isn't JSON or doesn't fit. */
export const parseJson = <Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> | undefined => {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
