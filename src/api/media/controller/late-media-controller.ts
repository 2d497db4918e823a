import type { ControllerReport, MediaController } from './media-controller.ts'

/**
 * A media controller whose code is loaded once it has a `<video>`, as nothing plays before. It keeps commands until
 * then. A failed load is reported as a failure of the network, and tried again with the next source.
 */
export function createLateMediaController(load: () => Promise<MediaController>): MediaController {
  const listeners = new Set<(report: ControllerReport) => void>()
  const waiting: ((controller: MediaController) => void)[] = []
  const state = { isLoading: false, hasVideo: false, hasSource: false }
  let loaded: MediaController | null = null

  const report = (one: ControllerReport) => {
    for (const listener of listeners) listener(one)
  }
  const start = async () => {
    if (state.isLoading || !state.hasVideo || loaded !== null) return
    state.isLoading = true
    try {
      const controller = await load()
      controller.listen(report)
      // A command that answers a report of `attach` is newer than those that wait.
      while (waiting.length > 0) waiting.shift()?.(controller)
      loaded = controller
    } catch {
      if (state.hasSource) report({ type: 'engine.failed', failure: 'network', at: null })
    } finally {
      state.isLoading = false
    }
  }
  const forward = (command: (controller: MediaController) => void) => {
    if (loaded === null) waiting.push(command)
    else command(loaded)
  }
  const request = (hasSource: boolean, command: (controller: MediaController) => void) => {
    state.hasSource = hasSource
    forward(command)
    void start()
  }

  return {
    attach(video, still) {
      let detach: (() => void) | null = null
      let isAttached = true
      forward((controller) => {
        if (isAttached) detach = controller.attach(video, still)
      })
      state.hasVideo = true
      void start()
      return () => {
        isAttached = false
        detach?.()
      }
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    load: (source, options) => request(true, (controller) => controller.load(source, options)),
    change: (source, options) => request(true, (controller) => controller.change(source, options)),
    unload: () => request(false, (controller) => controller.unload()),
    play: () => forward((controller) => controller.play()),
    pause: () => forward((controller) => controller.pause()),
    setRate: (rate) => forward((controller) => controller.setRate(rate)),
    setSound: (sound) => forward((controller) => controller.setSound(sound)),
    follow: (clock) => forward((controller) => controller.follow(clock)),
    setLoop: (loop) => forward((controller) => controller.setLoop(loop)),
    seek: (at) => forward((controller) => controller.seek(at)),
    step: (direction) => forward((controller) => controller.step(direction)),
    togglePictureInPicture: () => loaded?.togglePictureInPicture(),
    hasSettled: () => loaded?.hasSettled() ?? false,
    positionAt: () => loaded?.positionAt() ?? null,
    buffered: () => loaded?.buffered() ?? [],
    stats: () => loaded?.stats() ?? null,
    snapshot: async () => (await loaded?.snapshot()) ?? null,
  }
}
