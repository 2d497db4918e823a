import { setTimeout as after } from 'node:timers/promises'
import { call, keptConnections, type Reply } from './calls.ts'
import { differenceOf } from './distributions.ts'
import { addPerson } from './people.ts'
import { openTarget, type Attack, type Scene } from './scene.ts'
import { administrator, residentMb, type Target } from './target.ts'

const attempts = 5000
const people = 20

/** The address of the n-th host, for X-Forwarded-For. */
const hostAt = (index: number) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
/** The host of the rightful administrator. */
const ownHost = '192.0.2.1'

const signerIn = (target: Target) => {
  const agent = keptConnections(target.origin(), 100)
  return (name: string, password: string, from: string): Promise<Reply> =>
    call(target.origin(), '/v1/sign-in', {
      method: 'POST',
      agent,
      headers: { 'x-forwarded-for': from },
      body: { name, password },
    })
}

/** Options by which the server trusts X-Forwarded-For of every caller. */
const trusting = ({ space }: Scene) => ({ env: { TRUST_PROXY: space.ownHost } })

const guessedPasswords = async (scene: Scene): Promise<void> => {
  const { target, health } = await openTarget(scene, trusting(scene))
  const signIn = signerIn(target)
  await signIn(administrator.login, administrator.password, ownHost)
  /** `throttledHost`: a host from which the administrator can't sign in after the guesses; '' if from any. */
  const kinds: [name: string, count: number, guess: (index: number) => Promise<Reply>, throttledHost: string][] = [
    [
      'from one address',
      attempts,
      (index) => signIn(administrator.login, `guess ${index}`, '198.51.100.7'),
      '198.51.100.7',
    ],
    [
      'from as many addresses at one login',
      attempts,
      (index) => signIn(administrator.login, `guess ${index}`, hostAt(index)),
      '203.0.113.5',
    ],
    [
      'from as many addresses at as many logins',
      1000,
      (index) => signIn(`somebody${index}`, `guess ${index}`, hostAt(100_000 + index)),
      '',
    ],
  ]
  for (const [name, count, guess, throttledHost] of kinds) {
    const [began, before] = [Date.now(), residentMb(target.pid())]
    const found = new Map<number, number>()
    let next = 0
    let rightful: Promise<Reply> | undefined
    const worker = async () => {
      while (next < count) {
        const index = next
        next += 1
        if (index === Math.floor(count / 2)) rightful = signIn(administrator.login, administrator.password, ownHost)
        const { status } = await guess(index)
        found.set(status, (found.get(status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: 100 }, worker))
    const right = await rightful
    const seen = health.since(began)
    const grown = residentMb(target.pid()) - before
    const back =
      throttledHost === '' ? undefined : await signIn(administrator.login, administrator.password, throttledHost)
    const statuses = [...found].map(([status, times]) => `${times} × ${status}`).join(', ')
    const later =
      back === undefined
        ? ''
        : `; from there the rightful user may try again after ` +
          `${String(back.headers['retry-after'] ?? 'no time')} s`
    const isHeld =
      right?.status === 200 &&
      right.ms < 5000 &&
      grown < 300 &&
      (throttledHost === '' || (found.get(401) ?? 0) < count / 20)
    scene.note(
      `${count} guesses at passwords ${name}`,
      `${statuses}; the rightful user meanwhile ${right?.status} in ${Math.round(right?.ms ?? 0)} ms${later}; ` +
        `${seen.summary}; ${grown} MB more`,
      isHeld,
    )
  }
}

const signInTimes = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene, trusting(scene))
  const signIn = signerIn(target)
  for (let index = 0; index < people; index += 1) await addPerson(target, admin, `person${index}`)
  const took = { known: [] as number[], unknown: [] as number[] }
  const answers = { known: new Set<string>(), unknown: new Set<string>() }
  for (let round = 0; round < 10; round += 1) {
    for (let person = 0; person < people; person += 1) {
      for (const kind of round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const { ms, status, body } = await signIn(
          `${kind === 'known' ? 'person' : 'nobody'}${person}`,
          'wrong',
          hostAt(200_000 + round * 1000 + person * 2 + Number(kind === 'known')),
        )
        took[kind].push(ms)
        answers[kind].add(`${status} ${body.toString()}`)
      }
      await after(5)
    }
  }
  const { medians, distance, bound } = differenceOf(took.known, took.unknown)
  const isSame = [...answers.known].join(' ') === [...answers.unknown].join(' ')
  const result =
    `medians ${medians.map((ms) => ms.toFixed(1)).join(' and ')} ms of ${took.known.length} each; ` +
    `the distributions are ${distance.toFixed(3)} apart (${bound.toFixed(3)} tells them apart at 1 %); ` +
    `answers are ${isSame ? 'the same' : 'not the same'}`
  scene.note(
    'the time of a wrong sign-in for a login that exists and for one that doesn’t',
    result,
    distance <= bound && isSame,
  )
}

export const guessingAttacks: readonly Attack[] = [
  { name: 'guessing: passwords', run: guessedPasswords },
  { name: 'guessing: who is there', run: signInTimes },
]
