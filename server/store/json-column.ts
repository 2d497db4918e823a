import * as z from 'zod/mini'

/** A value of a schema, as JSON in a column of text. */
export const jsonColumn = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.codec(z.string(), schema, {
    decode: (text): z.input<Schema> => JSON.parse(text),
    encode: (value) => JSON.stringify(value),
  })
