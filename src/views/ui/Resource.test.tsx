// @vitest-environment jsdom
import { I18nProvider } from '@lingui/react'
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refused } from '../../../tests/fixtures/replies.ts'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { apiErrorOf } from '../../machines/api-errors.ts'
import { Refused } from './Resource.tsx'

beforeEach(async () => {
  await activate('en')
  await loadMessages('pages')
})
afterEach(cleanup)

const askAnAdministrator = 'Ask an administrator if you need access.'

test.each([
  ['', "You don't have access", askAnAdministrator, []],
  ['Forbidden', "You don't have access", askAnAdministrator, []],
  ['ACCESS_DENIED_ERR', 'Access denied', askAnAdministrator, []],
  ['EnterpriseOnly', 'Enterprise only', '', ['Retry']],
  ['FeatureNotFound', "The feature didn't find in the license", '', ['Retry']],
  ['LicenseExpired', 'License is missing or expired', '', ['Retry']],
  ['AuditLogsDisabled', 'Something went wrong', 'AuditLogsDisabled', ['Retry']],
])('a 403 with the code “%s” reads “%s” (docs/behaviour.md §14)', (code, title, words, buttons) => {
  const { getByRole, queryAllByRole, container } = render(
    <I18nProvider i18n={i18n}>
      <Refused apiError={apiErrorOf(refused(403, code))} onRetry={() => undefined} />
    </I18nProvider>,
  )
  expect(getByRole('heading').textContent).toBe(title)
  expect(container.textContent).toBe(title + words + buttons.join(''))
  expect(queryAllByRole('button').map(({ textContent }) => textContent)).toEqual(buttons)
})
