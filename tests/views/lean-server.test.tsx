// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { notFound } from '../fixtures/fake-server.ts'
import { answerLean } from '../fixtures/lean-answers.ts'
import { at, expect, test, until } from './console.tsx'

/** All pages but those with video, which e2e/console/lean-server.spec.ts opens. */
const pages = [
  '/streams',
  '/mosaics',
  '/add-stream',
  '/create-mosaic',
  '/stream/gate/info',
  '/stream/gate/setting',
  '/stream/gate/permission',
  '/stream/gate/debug',
  '/mosaic/yard/edit',
  '/profile/me/info',
  '/profile/me/edit',
  '/profile/me/tokens',
  '/profile/me/sessions',
  '/user/add',
  '/user/bob/info',
  '/user/bob/edit',
  '/user/bob/permission',
  '/user/bob/sessions',
  '/administration/stats',
  '/administration/config',
  '/administration/users',
  '/administration/cluster',
  '/administration/license',
  '/administration/server-debug',
  '/administration/tunnel',
  '/administration/audit-logs',
  '/bookmarks',
  '/help',
]

for (const [how, isNull] of [
  ['absent', false],
  ['null', true],
] as const) {
  // The console reads the two alike (src/api/call.test.ts), so each page is opened with one of them.
  test(`every page stands when all but the ids is ${how}`, async ({ server, visit }) => {
    answerLean(server, isNull)
    server.answer('GET /v1/stream/preview', notFound)
    for (const path of pages.filter((_path, index) => index % 2 === Number(isNull))) {
      await visit(`/ui${path}`)
      const main = await screen.findByRole('main')
      await until(() => expect(main.textContent).not.toBe(''))
      await until(() => expect(document.querySelectorAll('main [aria-busy=true]')).toHaveLength(0))
      expect(screen.queryByText('Something went wrong')).toBeNull()
      await at(`/ui${path}`)
    }
  })
}
