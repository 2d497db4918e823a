import { expect, test } from 'vitest'
import { readOptions } from '../../../server/options.ts'

const needed = { OIDC_ISSUER: 'https://id.example.org/realms/site', OIDC_CLIENT_ID: 'sightline' }

test('the provider of single sign-on has defaults, groups and rights of groups', () => {
  const defaults = {
    issuer: new URL('https://id.example.org/realms/site'),
    clientId: 'sightline',
    clientSecret: '',
    name: '',
    scope: 'openid profile email',
    groupsClaim: 'groups',
    adminGroups: [],
    allowedGroups: [],
    groupRights: [],
    groupsHours: 24,
  }
  expect(readOptions([], needed)?.oidc).toEqual(defaults)
  const env = {
    ...needed,
    OIDC_CLIENT_SECRET: 'hush',
    OIDC_NAME: 'Example ID',
    OIDC_SCOPE: 'openid  groups',
    OIDC_GROUPS_CLAIM: 'realm_access.roles',
    OIDC_ADMIN_GROUPS: ' chiefs, root ',
    OIDC_ALLOWED_GROUPS: 'cctv',
    OIDC_GROUPS_HOURS: '8',
    OIDC_GROUP_RIGHTS: 'guards=canView:Gate *; CN=chiefs,OU=site=canViewArchive,canAdmin:*;',
  }
  expect(readOptions([], env)?.oidc).toEqual({
    ...defaults,
    clientSecret: 'hush',
    name: 'Example ID',
    scope: 'openid groups',
    groupsClaim: 'realm_access.roles',
    groupsHours: 8,
    adminGroups: ['chiefs', 'root'],
    allowedGroups: ['cctv'],
    groupRights: [
      { group: 'guards', rights: { canView: true, canViewArchive: false, canAdmin: false }, pattern: 'Gate *' },
      {
        group: 'CN=chiefs,OU=site',
        rights: { canView: true, canViewArchive: true, canAdmin: true },
        pattern: '*',
      },
    ],
  })
})

test.each([
  [{ OIDC_CLIENT_ID: 'a' }, 'OIDC_CLIENT_ID needs OIDC_ISSUER'],
  [{ OIDC_ISSUER: 'https://a' }, 'OIDC_ISSUER needs OIDC_CLIENT_ID'],
  [{ ...needed, OIDC_ISSUER: 'http://a.example' }, 'OIDC_ISSUER takes an address like https://id.example.org/'],
  [{ ...needed, OIDC_ISSUER: 'https://u:p@a.example' }, 'OIDC_ISSUER takes an address like https://id.example.org/'],
  [{ ...needed, OIDC_SCOPE: 'profile' }, 'OIDC_SCOPE takes scopes separated by spaces, openid among them'],
  [{ ...needed, OIDC_NAME: 'x'.repeat(201) }, 'OIDC_NAME takes at most 200 characters'],
  [{ ...needed, OIDC_GROUPS_HOURS: '0' }, 'OIDC_GROUPS_HOURS takes a whole number from 1 to 2160'],
  [{ ...needed, OIDC_GROUP_RIGHTS: 'guards=see:*' }, 'OIDC_GROUP_RIGHTS takes rules like guards=canView'],
  [{ ...needed, OIDC_GROUP_RIGHTS: 'guards=canView' }, 'OIDC_GROUP_RIGHTS takes rules like guards=canView'],
  [{ ...needed, OIDC_GROUP_RIGHTS: 'a=canView:*;'.repeat(201) }, 'OIDC_GROUP_RIGHTS takes at most 200 rules'],
])('%j is reported in words', (env, message) => {
  expect(() => readOptions([], env)).toThrow(message)
})

test('an issuer on this machine may do without HTTPS', () => {
  for (const OIDC_ISSUER of ['http://127.0.0.1:9000', 'http://localhost:9000/a', 'http://[::1]:9000'])
    expect(readOptions([], { ...needed, OIDC_ISSUER })?.oidc?.issuer).toEqual(new URL(OIDC_ISSUER))
})
