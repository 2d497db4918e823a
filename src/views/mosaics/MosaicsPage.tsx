import { useCallback, useId, useMemo, useRef, useState } from 'react'
import { useSelector } from '@xstate/react'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Grid2x2, Pencil, Plus, Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { Mosaic } from '../../api/contract/mosaic.ts'
import { pathTo } from '../../machines/app/routes.ts'
import type { mosaicsMachine } from '../../machines/mosaics/mosaics.machine.ts'
import { type PreviewsRef, selectPicture } from '../../machines/streams/streams.selectors.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Page } from '../ui/Page.tsx'
import { Resource } from '../ui/Resource.tsx'
import { StatePanel } from '../ui/State.tsx'
import { useInSight } from '../ui/use-in-sight.ts'
import { tileArea } from './tile-area.ts'
import styles from './Mosaics.module.css'

type Snapshot = SnapshotFrom<typeof mosaicsMachine>
const selectList = ({ context }: Snapshot) => context.list
const selectPreviews = ({ context }: Snapshot) => context.previews

export function MosaicsPage({ actor }: { actor: ActorRefFrom<typeof mosaicsMachine> }) {
  const { t } = useLingui()
  const list = useSelector(actor, selectList)
  const previews = useSelector(actor, selectPreviews)
  const { value, apiError } = useSelector(list, ({ context }) => context)
  const [toDelete, setToDelete] = useState<Mosaic | null>(null)

  return (
    <Page
      title={t`Mosaics`}
      note={value !== null && <Plural value={value.length} one="# mosaic" other="# mosaics" />}
      actions={
        <ButtonLink href="/create-mosaic" variant="primary" icon={<Plus size={16} aria-hidden="true" />}>
          {t`Create mosaic`}
        </ButtonLink>
      }
    >
      <Resource value={value} apiError={apiError} onRetry={() => list.send({ type: 'resource.retried' })}>
        {(mosaics) =>
          mosaics.length === 0 ? (
            <StatePanel icon={<Grid2x2 size={20} />} title={t`No mosaics yet`}>
              <Trans>A mosaic shows several cameras on one screen.</Trans>
            </StatePanel>
          ) : (
            <Cards mosaics={mosaics} previews={previews} onDelete={setToDelete} />
          )
        }
      </Resource>
      {toDelete !== null && (
        <ConfirmDialog
          title={t`Delete “${{ name: toDelete.name || toDelete.id }}”?`}
          confirmLabel={t`Delete`}
          onCancel={() => setToDelete(null)}
          onConfirm={() => {
            list.send({ type: 'command.requested', command: { id: toDelete.id } })
            setToDelete(null)
          }}
        >
          <Trans>The mosaic is deleted for everybody who uses it. Its cameras and their archives are kept.</Trans>
        </ConfirmDialog>
      )}
    </Page>
  )
}

interface CardsProps {
  mosaics: readonly Mosaic[]
  previews: PreviewsRef
  onDelete: (mosaic: Mosaic) => void
}

function Cards({ mosaics, previews, onDelete }: CardsProps) {
  const { t } = useLingui()
  const names = useId()
  const list = useRef<HTMLUListElement>(null)
  useInSight(
    list,
    mosaics,
    useCallback(
      (inSight: readonly Mosaic[]) => {
        const uids = new Set(
          inSight.flatMap(({ cells, missing = [] }) =>
            cells.map(({ streamUid }) => streamUid).filter((uid) => !missing.includes(uid)),
          ),
        )
        previews.send({ type: 'previews.requested', subjects: [...uids].map((uid) => ({ uid, isMoving: true })) })
      },
      [previews],
    ),
  )
  return (
    <ul ref={list} className={styles.list}>
      {mosaics.map((mosaic, index) => (
        <li key={mosaic.id} className={styles.card}>
          <Link href={pathTo('mosaic', { id: mosaic.id })} className={styles.open} aria-labelledby={`${names}${index}`}>
            <Miniature mosaic={mosaic} previews={previews} />
            <strong id={`${names}${index}`}>{mosaic.name || mosaic.id}</strong>
            <span className={styles.note}>
              <Plural value={mosaic.cells.length} one="# camera" other="# cameras" />
              {mosaic.missing !== undefined && mosaic.missing.length > 0 && (
                <>
                  {' · '}
                  <Plural value={mosaic.missing.length} one="# missing" other="# missing" />
                </>
              )}
            </span>
          </Link>
          {mosaic.meta.canAdmin && (
            <div className={styles.actions}>
              <Link
                href={pathTo('mosaicEdit', { id: mosaic.id })}
                className={styles.edit}
                aria-label={t`Edit`}
                title={t`Edit`}
                aria-describedby={`${names}${index}`}
              >
                <Pencil size={16} aria-hidden="true" />
              </Link>
              <IconButton
                label={t`Delete ${mosaic.name || mosaic.id}`}
                icon={<Trash2 size={16} />}
                onPress={() => onDelete(mosaic)}
              />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

function Miniature({ mosaic, previews }: { mosaic: Mosaic; previews: PreviewsRef }) {
  return (
    <span
      className={styles.miniature}
      style={{ gridTemplate: `repeat(${mosaic.rows}, 1fr) / repeat(${mosaic.columns}, 1fr)` }}
      aria-hidden="true"
    >
      {mosaic.cells.map((cell) => (
        <MiniatureTile key={`${cell.x}.${cell.y}`} uid={cell.streamUid} area={tileArea(cell)} previews={previews} />
      ))}
    </span>
  )
}

function MiniatureTile({ uid, area, previews }: { uid: string; area: { gridArea: string }; previews: PreviewsRef }) {
  const url = useSelector(
    previews,
    useMemo(() => selectPicture(uid), [uid]),
  )
  return (
    <span className={styles.miniatureTile} style={area}>
      {url !== undefined && <img src={url} alt="" />}
    </span>
  )
}
