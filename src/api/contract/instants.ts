/** RFC 3339 allows lower case, and an unencoded `+` in a query arrives as a space. */
export const normalizedInstant = (text: string): string => text.toUpperCase().replace(/ (?=\d\d:\d\d$)/, '+')

/** Epoch milliseconds, limited to the years 0 to 9999. */
export const epochMsOf = (text: string): number =>
  Math.max(-62_167_219_200_000, Math.min(Date.parse(text), 253_402_300_799_999))
