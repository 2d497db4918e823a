import { expect, onTestFinished, test, vi } from 'vitest'
import { probeSource, type Requester } from '../../../server/media/probe.ts'
import { patience } from '../../fixtures/patience.ts'

/** The runs of ffprobe: how long each may take, and how it ends, with or without a keyframe. */
const runs: { limitMs: number; end: (hasKeyframe: boolean) => void }[] = []

vi.mock('../../../server/media/input.ts', () => ({
  openInput: async () => ({ args: [], gateway: { failure: () => undefined, close: () => undefined } }),
}))
vi.mock('../../../server/media/run-tool.ts', () => ({
  runTool: (_tool: string, _args: string[], { wallClockMs: limitMs }: { wallClockMs: number }) =>
    new Promise((resolve) => {
      const end = (hasKeyframe: boolean) => {
        const size = hasKeyframe ? { width: 320, height: 180 } : {}
        const streams = [{ codec_type: 'video', codec_name: 'h264', ...size }]
        const report = { format: { format_name: 'mpegts' }, streams }
        resolve({ output: Buffer.from(JSON.stringify(report)), stderrTail: '' })
      }
      runs.push({ limitMs, end })
    }),
}))

const source = {
  kind: 'network',
  scheme: 'http',
  host: '127.0.0.1',
  port: 80,
  path: '/',
  username: '',
  password: '',
} as const

const requesterOf = (kind: Requester['kind'], name: string): Requester =>
  kind === 'stream' ? { kind, uid: name, hasFailed: false } : { kind, caller: name }

test.each([
  { who: 'a camera that waited for its turn is probed as long as any other', kind: 'stream', limitMs: 90_000 },
  { who: 'a person who waited gets the rest of the time', kind: 'person', limitMs: 10_000 },
] as const)('$who', async ({ kind, limitMs }) => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => {
    clock.mockRestore()
    runs.length = 0
  })
  const { signal } = new AbortController()
  const probe = (name: string) => probeSource(source, true, requesterOf(kind, name), 90_000, signal)
  const others = ['a', 'b', 'c', 'd'].map(probe)
  await vi.waitUntil(() => runs.length === 4, patience)
  const last = probe('e')
  clock.mockReturnValue(80_000)
  for (const { end } of runs) end(true)
  await vi.waitUntil(() => runs.length === 5, patience)
  runs[4]?.end(false)
  await vi.waitUntil(() => runs.length === 6, patience)
  runs[5]?.end(true)
  expect(runs[5]?.limitMs).toBe(limitMs)
  expect(await last).toMatchObject({ hasFarKeyframes: true })
  await Promise.all(others)
})
