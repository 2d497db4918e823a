import { type ReactNode, useRef } from 'react'
import { useLingui } from '@lingui/react/macro'
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  FoldHorizontal,
  FoldVertical,
  Trash2,
  UnfoldHorizontal,
  UnfoldVertical,
} from 'lucide-react'
import { type Grid, type Tile, moved, removed, resized } from '../../machines/mosaics/mosaic-grid.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './MosaicEdit.module.css'

interface TileToolsProps {
  grid: Grid
  tile: Tile | undefined
  nameOf: (uid: string) => string
  onChange: (grid: Grid) => void
}

export function TileTools({ tile, ...props }: TileToolsProps) {
  const { t } = useLingui()
  const box = useRef<HTMLDivElement>(null)
  if (tile === undefined)
    return (
      <div
        ref={box}
        tabIndex={-1}
        className={`${styles.tools} ${styles.quiet}`}
      >{t`Select a tile to move or resize it. Tiles can also be dragged.`}</div>
    )
  return (
    <div ref={box} tabIndex={-1} className={styles.tools} role="group" aria-label={t`Selected tile`}>
      {/* The change removes the pressed button: the focus stays with the tools, so that the change can be undone. */}
      <Tools {...props} tile={tile} onRemove={() => box.current?.focus()} />
    </div>
  )
}

function Tools({ grid, tile, nameOf, onChange, onRemove }: TileToolsProps & { tile: Tile; onRemove: () => void }) {
  const { t } = useLingui()
  /* A button keeps the focus when it is disabled, so that the next key still goes to the tools. */
  const stepButton = (label: string, icon: ReactNode, shortcut: string, next: Grid) => (
    <Button
      variant="quiet"
      className={styles.step}
      icon={icon}
      aria-label={label}
      title={`${label} (${shortcut})`}
      disabled={next === grid}
      onClick={() => onChange(next)}
    />
  )
  const movedBy = (x: number, y: number) => moved(grid, tile, tile.x + x, tile.y + y)
  const resizedBy = (w: number, h: number) => resized(grid, tile, tile.w + w, tile.h + h)
  return (
    <>
      <p
        role="status"
        className={styles.chosen}
      >{t`${nameOf(tile.streamUid)}, column ${tile.x + 1}, row ${tile.y + 1}, ${tile.w} by ${tile.h}`}</p>
      <span className={styles.steps}>
        {stepButton(t`Move left`, <ArrowLeft size={16} />, '←', movedBy(-1, 0))}
        {stepButton(t`Move right`, <ArrowRight size={16} />, '→', movedBy(1, 0))}
        {stepButton(t`Move up`, <ArrowUp size={16} />, '↑', movedBy(0, -1))}
        {stepButton(t`Move down`, <ArrowDown size={16} />, '↓', movedBy(0, 1))}
      </span>
      <span className={styles.steps}>
        {stepButton(t`Narrower`, <FoldHorizontal size={16} />, 'Shift ←', resizedBy(-1, 0))}
        {stepButton(t`Wider`, <UnfoldHorizontal size={16} />, 'Shift →', resizedBy(1, 0))}
        {stepButton(t`Shorter`, <FoldVertical size={16} />, 'Shift ↑', resizedBy(0, -1))}
        {stepButton(t`Taller`, <UnfoldVertical size={16} />, 'Shift ↓', resizedBy(0, 1))}
      </span>
      <IconButton
        label={t`Remove ${nameOf(tile.streamUid)}`}
        icon={<Trash2 size={16} />}
        shortcut="Delete"
        placement="top"
        onPress={() => {
          onRemove()
          onChange(removed(grid, tile))
        }}
      />
    </>
  )
}
