import { Plural, Trans } from '@lingui/react/macro'

/** The estimated duration of an archive, in hours below two days. */
export function AboutDays({ days }: { days: number }) {
  const hours = Math.round(days * 24)
  if (hours < 1) return <Trans>less than an hour</Trans>
  if (hours < 48) return <Plural value={hours} one="about # hour" other="about # hours" />
  return <Plural value={Math.round(days)} one="about # day" other="about # days" />
}
