import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The colour and the stroke of a line. */
export type Tone = 'first' | 'second' | 'good' | 'quiet' | 'bad'

interface KnownLine {
  series: string
  label: MessageDescriptor
  tone: Tone
}

interface KnownChart {
  title: MessageDescriptor
  lines: readonly KnownLine[]
}

/** The charts of the series that the console knows. Any other series has a chart of its own, titled with its name. */
export const knownCharts: readonly KnownChart[] = [
  { title: msg`Processor`, lines: [{ series: 'CPU', label: msg`In use`, tone: 'first' }] },
  { title: msg`Memory`, lines: [{ series: 'Memory', label: msg`In use`, tone: 'first' }] },
  {
    title: msg`Network`,
    lines: [
      { series: 'Network received', label: msg`Received`, tone: 'first' },
      { series: 'Network sent', label: msg`Sent`, tone: 'second' },
    ],
  },
  {
    title: msg`Streams`,
    lines: [
      { series: 'Streams running', label: msg`Running`, tone: 'good' },
      { series: 'Streams pending', label: msg`Pending`, tone: 'first' },
      { series: 'Streams paused', label: msg`Paused`, tone: 'quiet' },
      { series: 'Streams failed', label: msg`Failed`, tone: 'bad' },
    ],
  },
  { title: msg`Viewers`, lines: [{ series: 'Viewers', label: msg`Watching`, tone: 'first' }] },
  { title: msg`Recording`, lines: [{ series: 'Recorded', label: msg`Written`, tone: 'first' }] },
  { title: msg`Disk`, lines: [{ series: 'Disk', label: msg`In use`, tone: 'first' }] },
]
