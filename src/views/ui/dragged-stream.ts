import type { DragEvent } from 'react'

/** A type of its own: text that is dragged from elsewhere is no stream. */
const type = 'application/x-sightline-stream'

export const dragStream = ({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>, uid: string): void =>
  dataTransfer.setData(type, uid)

/** The uid of the dropped stream; '' if something else was dropped. */
export const droppedStream = ({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): string => dataTransfer.getData(type)
