import { createElement } from 'react'
import { type ActorSystem, createActor, fromCallback } from 'xstate'
import { holdWindow } from '../api/browser/leaving.ts'
import { fetchFile, saveFile } from '../api/media/files.ts'
import { downloadAddress } from '../api/resources/archive.ts'
import type { AppRef } from '../machines/app/app.selectors.ts'
import type { ClipsEvent } from '../machines/clips/clips.events.ts'
import { clipsMachine, type Download } from '../machines/clips/clips.machine.ts'
import type { ClipsRef } from '../machines/clips/clips.selectors.ts'
import { clipFileName } from '../machines/clips/file-name.ts'
import { offsetMinutesAt } from '../machines/player/local-text.ts'
import { useConsole, type TrayView } from '../views/app/console.ts'
import { Tray } from '../views/clips/Tray.tsx'
import { watchViewer } from './viewer.ts'

type Rooms = ActorSystem<{ actors: { app: AppRef } }>

/** A screen needn't hear of every piece that comes. */
const tellingMs = 150

const fetchClip = fromCallback<ClipsEvent, Download | undefined>(({ input: download, sendBack }) => {
  if (download === undefined) return undefined
  const { uid, from, to, zone } = download
  const request = new AbortController()
  let told = 0
  fetchFile(downloadAddress(uid, { from, to }, offsetMinutesAt(from, zone)), {
    signal: request.signal,
    onBytes: (bytes, total) => {
      if (performance.now() - told < tellingMs) return
      told = performance.now()
      sendBack({ type: 'download.advanced', bytes, total })
    },
  }).then(
    (fetched) => {
      if (!fetched.ok) return sendBack({ type: 'download.refused', refusal: fetched.refusal })
      saveFile(fetched.file, clipFileName(download, fetched.name))
      return sendBack({ type: 'download.saved', bytes: fetched.file.size })
    },
    () => undefined,
  )
  return () => request.abort()
})

const logic = clipsMachine.provide({ actors: { fetchClip, holdWindow: fromCallback(() => holdWindow()) } })

const started: { clips: ClipsRef | null } = { clips: null }

/** The downloads of this visit, begun when they are first asked for and emptied when somebody else is here. */
function clipsBeside(app: AppRef): ClipsRef {
  started.clips ??= begin(app)
  return started.clips
}

/** The view of the downloads; the default, as `lazy` wants it. */
const View: TrayView = ({ isRaised }) => createElement(Tray, { isRaised, clips: clipsBeside(useConsole().app) })
export default View

/** The downloads, for a machine that runs below the root. */
export function clipsIn(system: Pick<Rooms, 'get'>): ClipsRef | undefined {
  const app = system.get('app')
  return app === undefined ? undefined : clipsBeside(app)
}

function begin(app: AppRef): ClipsRef {
  const clips = createActor(logic).start()
  if (import.meta.env.MODE !== 'production') void import('../views/dev/dev.ts').then(({ attach }) => attach(clips))
  watchViewer(app, () => clips.send({ type: 'viewer.changed' }))
  return clips
}
