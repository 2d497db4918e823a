import { useLingui } from '@lingui/react/macro'
import type { Stream } from '../../api/contract/stream.ts'

/** The text of a status; one that the console doesn't know is shown as received. */
export function useStatusWord(): (status: string) => string {
  const { t } = useLingui()
  return (status) => {
    switch (status) {
      case 'running':
        return t`Running`
      case 'pending':
        return t`Starting`
      case 'idle':
        return t`On demand, idle`
      case 'paused':
        return t`Paused`
      case 'failed':
        return t`Failed`
      default:
        return status === '' ? t`Unknown` : status
    }
  }
}

/** The colour of a stream's marker; undefined unless it is a hex colour or a single word, as it goes into CSS. */
export const markerColour = ({ meta: { marker } }: Pick<Stream, 'meta'>): string | undefined =>
  /^(#[0-9a-f]{3,8}|[a-z]{3,30})$/i.test(marker) ? marker : undefined

export const displayName = ({ name, uid }: Pick<Stream, 'name' | 'uid'>): string => (name.trim() === '' ? uid : name)
