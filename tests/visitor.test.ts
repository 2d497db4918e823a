import { expect, test } from 'vitest'
import { allJourneys } from '../e2e/visitor/journeys.ts'
import { hidden, mayOpen, pages, redirects, roles } from '../e2e/visitor/pages.ts'
import { pathOf } from '../e2e/visitor/visitor.machine.ts'
import { matchRoute, routeNames } from '../src/machines/app/routes.ts'

const { journeys, unwalked } = allJourneys()

test('every route of the console is a page of the model of a visitor, or an address that leads to one', () => {
  const modelled = [...Object.keys(pages), ...Object.keys(redirects)].map((name) => matchRoute(pathOf(name)).name)
  expect([...new Set(modelled)].toSorted()).toEqual(routeNames.toSorted())
  expect(matchRoute(hidden.path).name).toBe('streamView')
})

test('the journeys take every edge of the model', () => {
  expect(unwalked).toEqual([])
})

test('each role is on every page that may be shown to it, opened or refused, and each dialog that a key opens over each of them', () => {
  const screens = journeys.flatMap(({ steps }) => steps.map(({ screen }) => screen))
  for (const role of roles) {
    const expected = Object.keys(pages).filter((page) => mayOpen(role, page) || pages[page]?.refusal !== 'missing')
    const reached = new Set(screens.filter((screen) => screen.role === role).map(({ page }) => page))
    expect([...reached].toSorted()).toEqual(expected.toSorted())
  }
  const covered = (dialog: string) =>
    new Set(screens.filter((screen) => screen.dialog === dialog).map(({ page }) => page))
  const shell = Object.keys(pages)
    .filter((page) => !['recoverPassword', 'notFound', 'nowhere'].includes(page))
    .toSorted()
  expect([...covered('palette')].toSorted()).toEqual(shell)
  expect([...covered('shortcuts')].toSorted()).toEqual(shell)
})

test('the journeys are the same with every run', () => {
  expect(allJourneys().journeys).toEqual(journeys)
})
