/** Their queries are sent together. */
const daysAtOnce = 31

/**
 * The days of a time zone that have recordings, as YYYY-MM-DD. `nextRecorded`: the first recorded moment from a moment
 * on, which is that moment itself within a segment that began before it.
 */
export const recordedDays = async (
  from: number,
  to: number,
  timezone: string,
  nextRecorded: (moment: number) => Promise<number | undefined>,
): Promise<string[]> => {
  const days: string[] = []
  let moment = await nextRecorded(from)
  while (moment !== undefined && moment < to) {
    const first = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timezone).toPlainDate()
    const some = Array.from({ length: daysAtOnce }, (_, index) => {
      const day = first.add({ days: index })
      return { day, end: day.add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds }
    })
    /** The first recorded moment from the end of each day on. */
    const later = await Promise.all(some.map(({ end }) => (end < to ? nextRecorded(end) : undefined)))
    for (const [index, { day, end }] of some.entries()) {
      const found = index === 0 ? moment : later[index - 1]
      if (found !== undefined && found < Math.min(end, to)) days.push(day.toString())
    }
    moment = later.at(-1)
  }
  return days
}
