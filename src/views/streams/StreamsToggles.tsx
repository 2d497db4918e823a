import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { CircleCheck, Rows3, Tags } from 'lucide-react'
import { type StreamsRef, selectView } from '../../machines/streams/streams.selectors.ts'
import { IconButton } from '../ui/IconButton.tsx'

export function StreamsToggles({ actor }: { actor: StreamsRef }) {
  const { t } = useLingui()
  const { groupType, viewModeKey, isShownAvailableStreams } = useSelector(actor, selectView)
  return (
    <>
      <IconButton
        label={t`Group by tag`}
        icon={<Tags size={16} />}
        pressed={groupType === 'tag'}
        onPress={() => actor.send({ type: 'grouping.switched' })}
      />
      <IconButton
        label={t`Table view`}
        icon={<Rows3 size={16} />}
        pressed={viewModeKey === 'table'}
        onPress={() => actor.send({ type: 'table.switched' })}
      />
      <IconButton
        label={t`Only available`}
        icon={<CircleCheck size={16} />}
        pressed={isShownAvailableStreams}
        onPress={() => actor.send({ type: 'availability.switched' })}
      />
    </>
  )
}
