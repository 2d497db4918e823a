import { type Section, row, tests } from './row.ts'

/** docs/behaviour.md §15: every constant and limit. */

const made = tests('src/api/resources/calls.test.ts')('%s is made as written')
const defaults = tests('src/api/contract/settings.test.ts')(
  'absent settings have the defaults of docs/behaviour.md §15',
)
const timeline = tests('src/machines/timeline/timeline-geometry.test.ts')
const labels = tests('src/machines/timeline/timeline-labels.test.ts')
const calendar = tests('src/machines/calendar/calendar.machine.test.ts')
const calendarScreen = tests('src/views/calendar/Calendar.test.tsx')
const panel = tests('src/machines/side-panel/side-panel.machine.test.ts')
const formats = tests('src/i18n/formats.test.ts')
const list = tests('src/views/streams/StreamsPage.test.tsx')
const preferences = tests('src/machines/streams/preferences.test.ts')

export const constantSections: readonly Section[] = [
  {
    title: 'Timeouts and polling ([§15](behaviour.md#15-limits-and-intervals))',
    rows: [
      row('New stream request timeout: 35 s', made),
      row('Probe and preview timeout: 60 s', made),
      row(
        'Stream status poll: 1 s',
        tests('src/machines/stream/stream.machine.test.ts')('polls at once and then every second'),
      ),
      row(
        'Logs poll: 1 s',
        tests('src/machines/log-tail/tail.machine.test.ts')(
          'polls every second for the lines after the last one, and shows no line twice',
        ),
      ),
      row(
        'Mosaic poll: 10 s',
        tests('src/machines/mosaics/mosaic.machine.test.ts')(
          'is polled every 10 s: loads streams that come back, unloads those that go, keeps those that play',
        ),
      ),
      row(
        'Health poll: 60 s',
        tests('src/machines/health/health.machine.test.ts')(
          'waits for the request to start, then polls at once and every 60 s',
        ),
      ),
      row(
        'Profile-saved busy flag: clears after 300 ms',
        tests('src/machines/form/form.machine.test.ts')('saves the values, clears passwords and stays busy for 300 ms'),
      ),
      row(
        'Resize handler debounce: 100 ms',
        panel('closes by itself 100 ms after the screen has become small, and only then'),
      ),
      row(
        'Player position tracking: every 20 ms',
        tests('src/views/player/Badge.test.tsx')(
          'the playing moment is written anew in every frame of the screen, less than 20 ms apart',
          'between the frames too where pictures come fast',
        ),
      ),
      row(
        'Archive refresh interval: six times the seconds-per-pixel value, in ms, never below 3500 ms',
        timeline('refreshes every six times the seconds per pixel, every 3.5 seconds at most'),
        tests('src/machines/timeline/chunks.machine.test.ts')(
          'refreshes by the interval, and only what can still grow',
        ),
      ),
    ],
  },
  {
    title: 'Retention and defaults ([§15](behaviour.md#15-limits-and-intervals))',
    rows: [
      row(
        'Local warning dismissal kept 7 days',
        tests('src/machines/health/health.machine.test.ts')('is remembered for 7 days, and no longer'),
      ),
      row(
        'The application title has a built-in default value',
        tests('src/views/shell/Shell.test.tsx')(
          'the logo leads to all streams, named by the title: configuration %o, settings %o',
        ),
      ),
      row(
        'The app logo is configurable',
        tests('tests/views/shell.test.tsx')('title and logo come from the settings, at once'),
      ),
      row(
        'archiveDownloadMaxSeconds default 3600 (set from configuration)',
        defaults,
        tests('src/machines/clips/parts.test.ts')(
          'two and a half hours at an hour each are three parts of fifty minutes',
        ),
      ),
      row(
        'playlistMaxSeconds default 604800',
        defaults,
        tests('src/machines/player/player.view.test.ts')('a playlist is at most playlistMaxSeconds long'),
      ),
      row(
        'rangesMaxSeconds default 10800',
        defaults,
        tests('src/machines/timeline/chunks.machine.test.ts')('requests half the length if a chunk is too long'),
      ),
      row(
        'archiveMaxDepthHours default -1 (unlimited)',
        defaults,
        tests('src/machines/stream-pages/stream-values.test.ts')(
          "the archive depth within the server's limit, unless it is unchanged",
        ),
      ),
      row('Tunnel locations default to a single region value', defaults),
    ],
  },
  {
    title: 'Timeline and player ([§8](behaviour.md#8-timeline))',
    rows: [
      row(
        'Default period: from 20 hours before now to 3 hours ahead',
        timeline('starts from 20 hours before now to 3 hours ahead'),
      ),
      row(
        'Zoom factor 1.5',
        timeline('a step in divides by 1.5 about what is playing, or about the middle'),
        tests('e2e/walk/timeline.spec.ts')('moving, zooming and centring the band'),
      ),
      row(
        'Zoom in minimum period 5 minutes; zoom out maximum 24 hours',
        timeline('a step stops at 5 minutes and at 24 hours', 'every button keeps the limits'),
      ),
      row(
        'Zoom out keeps the end if it is at least 3 hours ahead of now',
        timeline('zooming out keeps an end that is 3 hours ahead or more, and lets no other grow beyond'),
      ),
      row('Marker spacing about 70 px per label', labels('are about 70 px apart, by the steps of the specification')),
      row(
        'Label steps 1, 5, 15, 30, 60 minutes, or multiples of hours',
        labels('are about 70 px apart, by the steps of the specification'),
      ),
      row(
        'Playback speeds: 0.25, 0.5, 1, 2, 4, 8, 16',
        tests('src/machines/player/address.test.ts')('the speeds are those of docs/behaviour.md §7'),
        tests('e2e/real/moments.spec.ts')('every speed is offered'),
      ),
    ],
  },
  {
    title: 'Calendar ([§9](behaviour.md#9-calendar))',
    rows: [
      row('Shows 3 months by default', calendarScreen('shows three months by default')),
      row('at most 12, in multiples of 3', calendar('%j: %s')),
      row('Month width 200', tests('e2e/real/moments.spec.ts')('the months of the calendar are 200 px wide')),
      row('Weekday labels in ru and en', calendarScreen('the days of the week are named in %s')),
      row(
        'Date format YYYY-MM-DD',
        tests('src/machines/calendar/calendar-grid.test.ts')(
          'days read and write as YYYY-MM-DD, and nothing else is a day',
        ),
      ),
    ],
  },
  {
    title: 'Other ([§15](behaviour.md#15-limits-and-intervals))',
    rows: [
      row(
        'Side panel closes automatically when height is at most 600 or width is under 615',
        panel(
          'closes by itself 100 ms after the screen has become small, and only then',
          'a screen is small at a height of at most 600 or a width under 615 (docs/behaviour.md §4.3)',
        ),
      ),
      row(
        'Number format: space as thousands separator and comma as decimal for Russian; comma thousands and dot decimal for other languages',
        formats('%d with %o is %s in English and every other language, %s in Russian'),
      ),
      row('Languages include English and Russian', formats('English and Russian are there, each named in itself')),
      row(
        'View modes include grid and table',
        list('the toggles say what is on'),
        preferences('is exactly the five preferences (docs/behaviour.md §5)'),
      ),
      row(
        'Grouping is none or by tag',
        tests('src/machines/streams/streams.machine.test.ts')('carries grouping, order, filter and search values'),
      ),
      row(
        'Sort type defaults to date',
        tests('tests/views/shell.test.tsx')('the view of all streams is kept under all-streams'),
      ),
    ],
  },
]
