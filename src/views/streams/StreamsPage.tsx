import { useCallback } from 'react'
import { useSelector } from '@xstate/react'
import { useLingui } from '@lingui/react/macro'
import { ListFilter } from 'lucide-react'
import { selectIsPanelOpen } from '../../machines/side-panel/side-panel.selectors.ts'
import { type StreamsRef, selectBulk, selectHasBulk, selectPanel } from '../../machines/streams/streams.selectors.ts'
import { selectIsAdmin } from '../../machines/app/app.selectors.ts'
import { useApp } from '../app/console.ts'
import { HeaderContent } from '../shell/header-slot.ts'
import { SidePanel } from '../side-panel/SidePanel.tsx'
import { Button } from '../ui/Button.tsx'
import { useDeferred } from '../ui/deferred.ts'
import { bulkBar } from './bulk-bar.ts'
import { filtersPanel } from './deferred-modules.ts'
import { PauseConfirmation } from './PauseDialog.tsx'
import { SearchBar } from './SearchBar.tsx'
import { StreamCount } from './StreamCount.tsx'
import { StreamList } from './StreamList.tsx'
import { StreamsToggles } from './StreamsToggles.tsx'
import { ListError } from './ListError.tsx'
import { useChooseAll } from './use-choose-all.ts'
import styles from './StreamsPage.module.css'

const panelId = 'streams-filters'

export function StreamsPage({ actor }: { actor: StreamsRef }) {
  const { t } = useLingui()
  const panel = useSelector(actor, selectPanel)
  const isPanelOpen = useSelector(panel, (snapshot) => snapshot !== undefined && selectIsPanelOpen(snapshot))
  return (
    <div className={styles.page}>
      <HeaderContent>
        <StreamsToggles actor={actor} />
      </HeaderContent>
      <div className={styles.bar}>
        <SearchBar actor={actor} />
        <StreamCount actor={actor} />
        <Button
          variant="quiet"
          icon={<ListFilter size={16} aria-hidden="true" />}
          aria-expanded={isPanelOpen}
          aria-controls={panelId}
          className={styles.filters}
          onClick={() => panel?.send({ type: 'panel.toggled' })}
        >
          <span className={styles.filtersWord}>{t`Filters`}</span>
        </Button>
      </div>
      <Bulk actor={actor} />
      <ListError actor={actor} />
      <div className={styles.body}>
        <PauseConfirmation onPause={useCallback((uid) => actor.send({ type: 'stream.pauseRequested', uid }), [actor])}>
          <StreamList actor={actor} />
        </PauseConfirmation>
        {panel !== undefined && (
          <SidePanel actor={panel} id={panelId} title={t`Filters`}>
            <Filters actor={actor} />
          </SidePanel>
        )}
      </div>
    </div>
  )
}

function Filters({ actor }: { actor: StreamsRef }) {
  const parts = useDeferred(filtersPanel)
  return parts !== null && <parts.FiltersPanel actor={actor} />
}

function Bulk({ actor }: { actor: StreamsRef }) {
  const bulk = useSelector(actor, selectBulk)
  const all = useChooseAll(actor, useApp(selectIsAdmin))
  const hasBulk = useSelector(bulk, selectHasBulk)
  const parts = useDeferred(bulkBar, hasBulk)
  // Keeps the bar's space while its code loads, so that the list moves once, when the first stream is selected.
  if (parts === null) return hasBulk && <div className={styles.barSpace} />
  return bulk !== undefined && <parts.BulkBar bulk={bulk} all={all} />
}
