import { useLingui } from '@lingui/react/macro'

/** `1 h 2 min 3 s`, without the parts that are zero. */
export function useDuration(seconds: number): string {
  const { t } = useLingui()
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const parts = [hours > 0 ? t`${hours} h` : '', minutes > 0 ? t`${minutes} min` : '', rest > 0 ? t`${rest} s` : '']
  return parts.filter(Boolean).join(' ') || t`${0} s`
}
