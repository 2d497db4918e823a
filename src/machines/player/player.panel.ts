import { playerSetup } from './player.setup.ts'

/** The open panel, if any: the calendar, the download of a range, or a bookmark of the moment. */
export const panelRegion = playerSetup.createStateConfig({
  initial: 'closed',
  on: {
    'panel.opened': [
      {
        guard: { type: 'isCalendar', params: ({ event }) => event },
        target: '.calendar',
        actions: { type: 'assignPanelMoment', params: ({ event }) => event },
      },
      {
        guard: { type: 'isDownload', params: ({ event }) => event },
        target: '.download',
        actions: { type: 'assignPanelMoment', params: ({ event }) => event },
      },
      {
        guard: 'canBookmark',
        target: '.bookmark',
        actions: { type: 'assignPanelMoment', params: ({ event }) => event },
      },
    ],
    'panel.closed': '.closed',
  },
  states: {
    closed: {},
    calendar: {},
    download: {
      invoke: {
        id: 'clip',
        src: 'clip',
        input: ({ context: { uid, limits, now, zone, panelAt, address } }) => ({
          uid,
          at: panelAt ?? now,
          now,
          zone,
          maxSeconds: limits.archiveDownloadMaxSeconds,
          chunkMs: limits.rangesMaxSeconds * 1000,
          selection: address.selection,
        }),
      },
      on: {
        'clip.chosen': {
          target: 'closed',
          actions: {
            type: 'requestClip',
            params: ({ context: { uid, stream, zone, limits }, event: { from, to } }) => ({
              clip: { uid, name: stream?.name || uid, from, to, zone, maxSeconds: limits.archiveDownloadMaxSeconds },
            }),
          },
        },
      },
    },
    bookmark: {
      invoke: {
        id: 'bookmark',
        src: 'bookmark',
        input: ({ context: { uid, now, zone, panelAt, bookmarkLocation } }) => ({
          streamId: uid,
          at: panelAt ?? now,
          zone,
          bookmarkLocation: bookmarkLocation ?? { kind: 'browser', login: '' },
        }),
        onDone: { target: 'closed', actions: 'notifyBookmarked' },
      },
    },
  },
})
