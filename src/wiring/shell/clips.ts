import { createElement } from 'react'
import { type ActorSystem, fromCallback } from 'xstate'
import { warnBeforeClosing } from '../../api/browser/leaving.ts'
import { fetchFile } from '../../api/media/fetch-file.ts'
import { saveFile } from '../../api/media/files.ts'
import { downloadUrl } from '../../api/resources/archive.ts'
import { type AppRef, selectClips } from '../../machines/app/app.selectors.ts'
import type { Clip, ClipsEvent } from '../../machines/clips/clips.events.ts'
import { clipsMachine, type Download } from '../../machines/clips/clips.machine.ts'
import { clipFileName } from '../../machines/clips/file-name.ts'
import { offsetMinutesAt } from '../../machines/player/local-text.ts'
import { useApp, type TrayView } from '../../views/app/console.ts'
import { Tray } from '../../views/clips/Tray.tsx'

type ConsoleSystem = ActorSystem<{ actors: { app: AppRef } }>

/** Progress is reported no more often than this. */
const reportIntervalMs = 150

const fetchClip = fromCallback<ClipsEvent, Download | undefined>(({ input: download, sendBack }) => {
  if (download === undefined) return undefined
  const { uid, from, to, zone } = download
  const request = new AbortController()
  let reportedAt = 0
  fetchFile(downloadUrl(uid, { from, to }, offsetMinutesAt(from, zone)), {
    signal: request.signal,
    onBytes: (bytes, total) => {
      if (performance.now() - reportedAt < reportIntervalMs) return
      reportedAt = performance.now()
      sendBack({ type: 'download.advanced', bytes, total })
    },
  }).then(
    (fetched) => {
      if (!fetched.ok) return sendBack({ type: 'download.refused', apiError: fetched.apiError })
      saveFile(fetched.file, clipFileName(download, fetched.name))
      return sendBack({ type: 'download.saved', bytes: fetched.file.size })
    },
    () => undefined,
  )
  return () => request.abort()
})

const logic = clipsMachine.provide({
  actors: { fetchClip, warnBeforeClosing: fromCallback(() => warnBeforeClosing()) },
})

export const startClips = (app: AppRef): void => app.send({ type: 'clips.loaded', logic })

/** The view of the downloads. */
const View: TrayView = ({ isRaised }) => {
  const clips = useApp(selectClips)
  return clips === null ? null : createElement(Tray, { isRaised, clips })
}
export default View

/** Adds a download. Actions call this, and none may send to the root machine during a transition: hence a microtask. */
export function requestClip(system: Pick<ConsoleSystem, 'get'>, clip: Clip): void {
  const app = system.get('app')
  if (app === undefined) return
  queueMicrotask(() => {
    startClips(app)
    selectClips(app.getSnapshot())?.send({ type: 'clips.requested', clip })
  })
}
