import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { PlugZap } from 'lucide-react'
import { apiErrorText } from '../../i18n/errors.ts'
import { type StreamsRef, selectListError } from '../../machines/streams/streams.selectors.ts'
import { Button } from '../ui/Button.tsx'
import { StatePanel } from '../ui/State.tsx'

export function FailedList({ actor }: { actor: StreamsRef }) {
  const { t, i18n } = useLingui()
  const { message, code } = apiErrorText(useSelector(actor, selectListError)?.code ?? '')
  return (
    <StatePanel
      icon={<PlugZap size={20} />}
      title={t`The streams could not be loaded`}
      announce
      actions={<Button variant="primary" onClick={() => actor.send({ type: 'list.retried' })}>{t`Retry`}</Button>}
    >
      {i18n._(message)}
      {code !== '' && <code> {code}</code>}
    </StatePanel>
  )
}
