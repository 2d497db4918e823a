/** A range of time in epoch milliseconds: `from` inclusive, `to` exclusive. */
export type TimeRange = { readonly from: number; readonly to: number }
