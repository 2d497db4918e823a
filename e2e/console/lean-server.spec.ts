import { expect } from 'playwright/test'
import { notFound } from '../../tests/fixtures/fake-server.ts'
import { answerLean } from '../../tests/fixtures/lean-answers.ts'
import { test } from './fake-server.ts'

// The pages without video: tests/views/lean-server.test.tsx.
for (const [path, isNull] of [
  ['/stream/gate/view', false],
  ['/mosaic/yard', true],
] as const) {
  test(`${path} stands when all but the ids is ${isNull ? 'null' : 'absent'}`, async ({ page, server, problems }) => {
    answerLean(server, isNull)
    server.answer('GET /v1/stream/preview', notFound)
    await page.goto(`/ui${path}`)
    await expect(page.getByRole('main')).toBeVisible()
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    await expect(page.getByText('Something went wrong')).toHaveCount(0)
    expect(new URL(page.url()).pathname).toBe(`/ui${path}`)
    expect(problems).toEqual([])
  })
}
