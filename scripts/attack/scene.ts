import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { makeCertificate } from '../certificate.ts'
import { atEnd } from './endings.ts'
import { watchHealth, type HealthWatch } from './health.ts'
import { signInAsAdministrator, type Person } from './people.ts'
import type { Space } from './space.ts'
import { startTarget, type Target, type TargetOptions } from './target.ts'

/** The result of one attempt of an attack, which is named by `attack`. `held`: the server withstood it. */
export type Finding = { attack: string; attempt: string; result: string; verdict: 'held' | 'broken' | 'skipped' }

/** What an attack gets. Everything that it starts ends with it. */
export type Scene = {
  space: Space
  start: (options?: TargetOptions) => Promise<Target>
  /** Monitors the health of a server until the attack ends. */
  watch: (target: Target, everyMs?: number) => HealthWatch
  /** Runs after the attack, the last one first. */
  defer: (work: () => unknown) => void
  /** Adds a finding. */
  note: (attempt: string, result: string, isHeld: boolean) => void
  skip: (attempt: string, why: string) => void
}

export type Attack = {
  /** Its field and what it does: `gateway: early hints without end`. */
  name: string
  run: (scene: Scene) => Promise<void>
  limitSeconds?: number
}

const usualLimitSeconds = 240

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Runs an attack and returns its findings; `onFinding` gets each finding at once. */
export const perform = async (
  { name, run, limitSeconds = usualLimitSeconds }: Attack,
  space: Space,
  onFinding: (finding: Finding) => void,
): Promise<Finding[]> => {
  const findings: Finding[] = []
  const deferred: (() => unknown)[] = []
  const targets: Target[] = []
  const find = (attempt: string, result: string, verdict: Finding['verdict']) => {
    const finding = { attack: name, attempt, result, verdict }
    findings.push(finding)
    onFinding(finding)
  }
  const scene: Scene = {
    space,
    start: async (options) => {
      const target = await startTarget(space, options)
      targets.push(target)
      deferred.push(target.dispose, () => target.stop())
      return target
    },
    watch: (target, everyMs) => {
      const watch = watchHealth(space, target.origin(), everyMs)
      deferred.push(watch.stop)
      return watch
    },
    defer: (work) => void deferred.push(work),
    note: (attempt, result, isHeld) => find(attempt, result, isHeld ? 'held' : 'broken'),
    skip: (attempt, why) => find(attempt, why, 'skipped'),
  }
  const late = new AbortController()
  try {
    const tooLate = after(limitSeconds * 1000, undefined, { signal: late.signal }).then(() => {
      throw new Error(`not done after ${limitSeconds} s`)
    })
    await Promise.race([run(scene), tooLate])
    const ends = targets.flatMap((target) => target.ends)
    if (ends.length > 0 && findings.every(({ verdict }) => verdict !== 'broken'))
      find(name, `the server ended: ${ends.join('; ')}`, 'broken')
  } catch (error) {
    const ends = targets.flatMap((target) => target.ends)
    find(
      name,
      ends.length > 0 ? `the server ended: ${ends.join('; ')}` : `the attack broke: ${messageOf(error)}`,
      'broken',
    )
  } finally {
    late.abort()
    for (const work of deferred.toReversed()) await Promise.resolve(work()).catch(() => undefined)
  }
  return findings
}

export type Ready = { target: Target; admin: Person; health: HealthWatch }

/** A folder for the duration of the attack. */
export const ownFolder = (scene: Pick<Scene, 'defer'>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-attack-'))
  scene.defer(atEnd(() => rmSync(folder, { recursive: true, force: true })))
  return folder
}

/** A server without demo cameras, with a signed-in administrator and monitored health. */
export const openTarget = async (scene: Scene, options: TargetOptions = {}): Promise<Ready> => {
  const target = await scene.start(options)
  const admin = await signInAsAdministrator(target)
  const health = scene.watch(target)
  await untilHolds(() => health.since(0).count > 0, 30, 20)
  return { target, admin, health }
}

/** Waits until a condition holds; returns the seconds, or undefined after the time. */
export const untilHolds = async (
  holds: () => boolean | Promise<boolean>,
  seconds: number,
  everyMs = 200,
): Promise<number | undefined> => {
  const began = performance.now()
  const passed = () => (performance.now() - began) / 1000
  while (passed() < seconds) {
    if (await holds()) return passed()
    await after(everyMs)
  }
  return undefined
}

/** The seconds with one decimal, or that the wait timed out. */
export const secondsText = (seconds: number | undefined, waited: number): string =>
  seconds === undefined ? `more than ${waited} s` : `${seconds.toFixed(1)} s`

/** Options of a server with HTTPS and a self-signed certificate. */
export const certified = (scene: Scene): { TLS_CERT: string; TLS_KEY: string } => {
  const { cert, key } = makeCertificate(ownFolder(scene))
  return { TLS_CERT: cert, TLS_KEY: key }
}
