import { expect, test } from 'vitest'
import { configurationOf, healthOf, ok, refused, settingsOf } from '../../../tests/fixtures/replies.ts'
import { never, startConsole } from '../../../tests/machines/console.ts'
import { settle } from '../../../tests/machines/settle.ts'

const silent = () => refused(0, 'NoResponse')
const away = { configuration: silent, settings: silent, health: silent }
const configured = () => ok(configurationOf({ appTitle: 'Yard', versionCheckUrl: 'https://example.org/version' }))
const questions = (calls: readonly string[]) => calls.filter((call) => call === 'configuration').length

/** A console that was opened while the server was away. */
async function opened() {
  const console = startConsole('/help', away)
  await settle()
  console.calls.length = 0
  const pass = async (ms: number) => {
    console.clock.increment(ms)
    await settle()
  }
  return { ...console, pass }
}

test('is requested again with each health check until it arrives; then the version check runs', async () => {
  const { answers, calls, context, pass, where } = await opened()
  await pass(5000)
  expect({ asked: questions(calls), title: context().configuration.appTitle }).toEqual({
    asked: 1,
    title: configurationOf().appTitle,
  })
  Object.assign(answers, { configuration: configured, settings: () => ok(settingsOf()), health: () => ok(healthOf()) })
  await pass(5000)
  expect({
    title: context().configuration.appTitle,
    where: where(),
    versions: calls.filter((call) => call.startsWith('version')),
  }).toEqual({
    title: 'Yard',
    where: '/help',
    versions: ['version https://example.org/version'],
  })
  calls.length = 0
  await pass(120_000)
  expect(questions(calls)).toBe(0)
})

test('may name another server, whose health is checked at once, and then the rest', async () => {
  const { answers, context, pass, where } = await opened()
  const server = { isKnown: false }
  const there =
    <T>(reply: T) =>
    () =>
      server.isKnown ? reply : refused(404, 'NotFound')
  answers.configuration = () => {
    server.isKnown = true
    return configured()
  }
  answers.health = there(ok(healthOf()))
  answers.settings = there(ok(settingsOf({ version: '4.2' })))
  await pass(5000)
  expect({ where: where(), version: context().settings.version }).toEqual({ where: '/help', version: '4.2' })
})

test('is requested as soon as the server answers, if it alone was missing', async () => {
  const { calls, clock, context, answers } = startConsole('/help', { configuration: never, health: never })
  await settle()
  clock.increment(10_000)
  await settle()
  Object.assign(answers, { configuration: configured, health: () => ok(healthOf()) })
  clock.increment(60_000)
  await settle()
  expect({ asked: questions(calls), title: context().configuration.appTitle }).toEqual({ asked: 2, title: 'Yard' })
})

test("a deployment without one isn't asked again", async () => {
  const { answers, calls, pass } = await opened()
  answers.configuration = () => refused(404, 'NotFound')
  await pass(5000)
  answers.health = () => ok(healthOf())
  await pass(60_000)
  expect(questions(calls)).toBe(1)
})

test('each request cancels the one before, and one that throws is repeated', async () => {
  const { aborted, answers, calls, context, pass } = await opened()
  answers.configuration = never
  await pass(5000)
  answers.configuration = () => Promise.reject(new Error('broken'))
  await pass(5000)
  expect({ aborted: questions(aborted), asked: questions(calls) }).toEqual({ aborted: 1, asked: 2 })
  answers.configuration = configured
  await pass(5000)
  expect(context().configuration.appTitle).toBe('Yard')
})
