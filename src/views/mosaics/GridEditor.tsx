import { type DragEvent, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import {
  type Grid,
  type Tile,
  moved,
  namedTiles,
  placed,
  removed,
  resized,
} from '../../machines/mosaics/mosaic-grid.ts'
import { dragStream, droppedStream } from '../ui/dragged-stream.ts'
import { tileArea } from './tile-area.ts'
import styles from './MosaicEdit.module.css'

interface GridEditorProps {
  grid: Grid
  chosen: string | null
  nameOf: (uid: string) => string
  onChoose: (name: string | null) => void
  onChange: (grid: Grid) => void
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Tiles are dragged, moved with the arrow keys, or selected and then moved to a free cell with a click. */
export function GridEditor({ grid, chosen, nameOf, onChoose, onChange }: GridEditorProps) {
  const { t } = useLingui()
  const box = useRef<HTMLDivElement>(null)
  /** The tile being dragged, and which of its cells the pointer holds. */
  const [dragged, setDragged] = useState<{ tile: Tile; x: number; y: number } | null>(null)
  /** The tile whose corner is being dragged, as it was before, and the grid that the drag would make. */
  const [sizing, setSizing] = useState<{ tile: Tile; next: Grid } | null>(null)
  const shown = sizing?.next ?? grid
  const tiles = namedTiles(shown)
  const occupied = shown.cells.flatMap(({ x, y, w, h }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)}.${y + Math.floor(index / w)}`),
  )
  const selectedTile = tiles.find(({ name }) => name === chosen)?.tile

  const cellAt = (clientX: number, clientY: number) => {
    const frame = box.current?.getBoundingClientRect()
    if (frame === undefined) return { x: 0, y: 0 }
    return {
      x: Math.min(grid.columns - 1, Math.max(0, Math.floor(((clientX - frame.left) / frame.width) * grid.columns))),
      y: Math.min(grid.rows - 1, Math.max(0, Math.floor(((clientY - frame.top) / frame.height) * grid.rows))),
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    const { x, y } = cellAt(event.clientX, event.clientY)
    const uid = droppedStream(event)
    if (dragged !== null) onChange(moved(grid, dragged.tile, x - dragged.x, y - dragged.y))
    else if (uid !== '') onChange(placed(grid, uid, x, y))
    setDragged(null)
  }
  const resizeTo = (tile: Tile, event: PointerEvent) => {
    const { x, y } = cellAt(event.clientX, event.clientY)
    const [w, h] = [x - tile.x + 1, y - tile.y + 1]
    const next = resized(grid, tile, w, h)
    if (next !== grid || (w === tile.w && h === tile.h)) setSizing({ tile, next })
  }
  /** The change removes the focused element: moves the focus to a tile, or else to the grid. */
  const focusTile = (name: string | undefined) => {
    const handles = [...(box.current?.querySelectorAll<HTMLElement>('[data-tile]') ?? [])]
    const handle = handles.find(({ dataset }) => dataset['tile'] === name)
    if (handle !== undefined) handle.focus()
    else box.current?.focus()
  }
  const removeTile = (index: number, tile: Tile) => {
    const next = removed(grid, tile)
    const left = namedTiles(next)
    focusTile((left[index] ?? left[index - 1])?.name)
    onChange(next)
  }
  const onKeyDown = (index: number, tile: Tile) => (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (event.key === 'Delete' || event.key === 'Backspace') removeTile(index, tile)
    else if (step === undefined) return
    else if (event.shiftKey) onChange(resized(grid, tile, tile.w + step[0], tile.h + step[1]))
    else onChange(moved(grid, tile, tile.x + step[0], tile.y + step[1]))
    event.preventDefault()
  }

  return (
    <div
      ref={box}
      className={styles.grid}
      role="group"
      aria-label={t`Grid`}
      tabIndex={-1}
      style={{ gridTemplate: `repeat(${grid.rows}, minmax(0, 1fr)) / repeat(${grid.columns}, minmax(0, 1fr))` }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      {Array.from({ length: grid.columns * grid.rows }, (_, index) => {
        const [x, y] = [index % grid.columns, Math.floor(index / grid.columns)]
        const cell = `${x}.${y}`
        if (occupied.includes(cell)) return null
        const next = selectedTile === undefined ? grid : moved(grid, selectedTile, x, y)
        if (selectedTile === undefined || next === grid)
          return <span key={cell} className={styles.cell} style={tileArea({ x, y, w: 1, h: 1 })} />
        return (
          <button
            key={cell}
            type="button"
            className={styles.goal}
            style={tileArea({ x, y, w: 1, h: 1 })}
            aria-label={t`Move ${nameOf(selectedTile.streamUid)} to column ${x + 1}, row ${y + 1}`}
            onClick={() => {
              focusTile(chosen ?? undefined)
              onChange(next)
            }}
          />
        )
      })}
      {tiles.map(({ name, tile }, index) => (
        <div
          key={name}
          className={styles.tile}
          style={tileArea(tile)}
          data-chosen={name === chosen || undefined}
          draggable
          onDragStart={(event) => {
            const { x, y } = cellAt(event.clientX, event.clientY)
            dragStream(event, tile.streamUid)
            setDragged({ tile, x: x - tile.x, y: y - tile.y })
          }}
          onDragEnd={() => setDragged(null)}
        >
          <button
            type="button"
            className={styles.handle}
            data-tile={name}
            aria-pressed={name === chosen}
            aria-label={t`${nameOf(tile.streamUid)}, column ${tile.x + 1}, row ${tile.y + 1}, ${tile.w} by ${tile.h}`}
            title={t`Arrow keys move the tile, Shift + arrow keys resize it, Delete removes it`}
            onClick={() => onChoose(name === chosen ? null : name)}
            onKeyDown={onKeyDown(index, tile)}
          >
            {nameOf(tile.streamUid)}
          </button>
          <button
            type="button"
            className={styles.remove}
            aria-label={t`Remove ${nameOf(tile.streamUid)}`}
            onClick={() => removeTile(index, tile)}
          >
            <X size={16} aria-hidden="true" />
          </button>
          <span
            className={styles.corner}
            aria-hidden="true"
            draggable={false}
            onPointerDown={(event) => {
              event.preventDefault()
              event.currentTarget.setPointerCapture(event.pointerId)
              setSizing({ tile, next: grid })
            }}
            onPointerMove={(event) => sizing !== null && resizeTo(sizing.tile, event)}
            onPointerUp={() => {
              if (sizing !== null) onChange(sizing.next)
              setSizing(null)
            }}
            onPointerCancel={() => setSizing(null)}
          />
        </div>
      ))}
    </div>
  )
}
