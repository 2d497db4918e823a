import type { PlanCamera } from '../../api/contract/plans.ts'
import { clamp, type Point, rounded } from '../picture-points.ts'

/** As many as the server accepts (docs/wire.md §6.7). */
export const maxPlanCameras = 300

/** The field of view that a camera is drawn with if it has none. */
export const defaultFieldOfView = 60

/**
 * What a pointer does from the point where it was pressed: it moves a camera, or turns it towards the pointer. Points
 * are fractions of the picture.
 */
export type CameraStroke = { readonly uid: string; readonly from: Point; readonly to: Point } & (
  | { readonly kind: 'move' }
  /** `aspect`: width of the picture by its height. */
  | { readonly kind: 'turn'; readonly aspect: number }
)

/** Degrees from 0 to 359. */
export const bearing = (degrees: number): number => ((Math.round(degrees) % 360) + 360) % 360

const inPicture = ({ x, y }: Point): Point => ({ x: rounded(clamp(x, 0, 1)), y: rounded(clamp(y, 0, 1)) })

export const isPlaced = (cameras: readonly PlanCamera[], uid: string): boolean =>
  cameras.some(({ streamId }) => streamId === uid)

const changed = (
  cameras: readonly PlanCamera[],
  uid: string,
  edit: (camera: PlanCamera) => PlanCamera,
): readonly PlanCamera[] => cameras.map((camera) => (camera.streamId === uid ? edit(camera) : camera))

interface Aim {
  /** Null: unknown. */
  readonly direction: number | null
  readonly fieldOfView: number | null
}

/** `add` moves a camera that is on the plan already; `turn` is clockwise, in degrees. */
export type CameraChange = { readonly uid: string } & (
  | { readonly kind: 'add'; readonly at: Point }
  | { readonly kind: 'move'; readonly by: Point }
  | { readonly kind: 'turn'; readonly degrees: number }
  | { readonly kind: 'aim'; readonly aim: Aim }
  | { readonly kind: 'remove' }
)

const withMoved = (cameras: readonly PlanCamera[], uid: string, by: Point): readonly PlanCamera[] =>
  changed(cameras, uid, (camera) => ({ ...camera, ...inPicture({ x: camera.x + by.x, y: camera.y + by.y }) }))

const aimed = ({ streamId, x, y }: PlanCamera, { direction, fieldOfView }: Aim): PlanCamera => ({
  streamId,
  x,
  y,
  ...(direction === null ? {} : { direction: bearing(direction) }),
  ...(fieldOfView === null ? {} : { fieldOfView: clamp(Math.round(fieldOfView), 1, 360) }),
})

/** The cameras after a change. */
export function camerasAfter(cameras: readonly PlanCamera[], change: CameraChange): readonly PlanCamera[] {
  const { uid } = change
  switch (change.kind) {
    case 'add':
      if (isPlaced(cameras, uid)) return changed(cameras, uid, (camera) => ({ ...camera, ...inPicture(change.at) }))
      return cameras.length >= maxPlanCameras ? cameras : [...cameras, { streamId: uid, ...inPicture(change.at) }]
    case 'move':
      return withMoved(cameras, uid, change.by)
    case 'turn':
      return changed(cameras, uid, (each) => ({ ...each, direction: bearing((each.direction ?? 0) + change.degrees) }))
    case 'aim':
      return changed(cameras, uid, (camera) => aimed(camera, change.aim))
    case 'remove':
      return cameras.filter(({ streamId }) => streamId !== uid)
  }
}

/** The cameras as a stroke, if there is one, has changed them so far. */
export function afterCameraStroke(cameras: readonly PlanCamera[], stroke: CameraStroke | null): readonly PlanCamera[] {
  if (stroke === null) return cameras
  const { uid, from, to } = stroke
  if (stroke.kind === 'move') return withMoved(cameras, uid, { x: to.x - from.x, y: to.y - from.y })
  const camera = cameras.find(({ streamId }) => streamId === uid)
  const [across, down] = [(to.x - (camera?.x ?? 0)) * stroke.aspect, to.y - (camera?.y ?? 0)]
  if (across === 0 && down === 0) return cameras
  const direction = (Math.atan2(across, -down) * 180) / Math.PI
  return changed(cameras, uid, (each) => ({ ...each, direction: bearing(direction) }))
}

/** The outline of what a camera sees, as an SVG path around the camera at (0, 0). Angles in degrees. */
export function wedgePath(direction: number, fieldOfView: number, radius: number): string {
  const pointAt = (degrees: number) => {
    const angle = (degrees * Math.PI) / 180
    return `${rounded(radius * Math.sin(angle))} ${rounded(-radius * Math.cos(angle))}`
  }
  const half = Math.min(fieldOfView, 359.9) / 2
  const isLarge = half > 90 ? 1 : 0
  return `M0 0 L${pointAt(direction - half)} A${radius} ${radius} 0 ${isLarge} 1 ${pointAt(direction + half)} Z`
}

/** The smallest mosaic, about as wide as high, in the order of the cameras. */
export function gridOf(uids: readonly string[]) {
  const columns = Math.ceil(Math.sqrt(uids.length))
  const cells = uids.map((streamUid, index) => ({
    streamUid,
    x: index % columns,
    y: Math.floor(index / columns),
    w: 1,
    h: 1,
  }))
  return { columns, rows: Math.ceil(uids.length / columns), cells }
}

/**
 * The nearest camera in the direction of an arrow key, within 45° to either side of it; undefined if there is none.
 * `aspect`: width of the picture by its height.
 */
export function cameraTowards(
  cameras: readonly PlanCamera[],
  from: string,
  arrow: Point,
  aspect: number,
): string | undefined {
  const start = cameras.find(({ streamId }) => streamId === from)
  if (start === undefined) return undefined
  const ahead = cameras.flatMap((camera) => {
    const [across, down] = [(camera.x - start.x) * aspect, camera.y - start.y]
    const along = across * arrow.x + down * arrow.y
    const aside = Math.abs(across * arrow.y - down * arrow.x)
    return along > 0 && aside <= along ? [{ uid: camera.streamId, distance: along + aside }] : []
  })
  return ahead.toSorted((one, other) => one.distance - other.distance)[0]?.uid
}
