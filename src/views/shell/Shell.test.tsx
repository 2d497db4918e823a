// @vitest-environment jsdom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { configurationOf, healthOf, ok, refused, settingsOf, userOf } from '../../../tests/fixtures/replies.ts'
import { unauthorized } from '../../../tests/machines/console.ts'
import { settle } from '../../../tests/machines/settle.ts'
import { namesOf, openScreen } from '../../../tests/views/screen.tsx'

const reader = { user: () => ok(userOf({ name: 'rob', isAdmin: false, maxStreamCreation: 0 })) }
const member = { user: () => ok(userOf({ name: 'eve', isAdmin: false, maxStreamCreation: 3 })) }
const subject = (canAdmin: boolean) => ({ id: '7', name: 'Yard', canAdmin })

afterEach(() => {
  vi.restoreAllMocks()
})

describe('where header and tool bar are shown (docs/behaviour.md §4.1)', () => {
  test.each(['/auth', '/recover-password', '/nowhere', '/not-found'])('not on %s', async (href) => {
    const { queryByRole, where } = await openScreen(href, { world: { user: unauthorized } })
    expect({ where: where(), banner: queryByRole('banner'), toolbar: queryByRole('navigation') }).toEqual({
      where: href,
      banner: null,
      toolbar: null,
    })
  })

  test('not on an unknown path, even for a user', async () => {
    const { queryByRole, getByRole } = await openScreen('/nowhere')
    expect(queryByRole('banner')).toBeNull()
    expect(getByRole('main').textContent).toContain('Page not found')
  })

  test('on every page of a user, and on one that is forbidden, with one main alone', async () => {
    for (const [href, world] of [
      ['/help', {}],
      ['/administration/stats', reader],
    ] as const) {
      const { getByRole, getAllByRole } = await openScreen(href, { world })
      expect(getByRole('banner')).toBeDefined()
      expect(getByRole('navigation', { name: 'Toolbar' })).toBeDefined()
      expect(getAllByRole('main').length).toBe(1)
    }
  })
})

describe('the header', () => {
  test.each([
    [{}, {}, 'Sightline'],
    [{ appTitle: 'Deployment' }, {}, 'Deployment'],
    [{ appTitle: 'Deployment' }, { appTitle: 'Server' }, 'Server'],
  ])(
    'the logo leads to all streams, named by the title: configuration %o, settings %o',
    async (configuration, settings, name) => {
      const { inside } = await openScreen('/help', {
        world: { configuration: () => ok(configurationOf(configuration)), settings: () => ok(settingsOf(settings)) },
      })
      expect(inside('banner').getByRole('link', { name }).getAttribute('href')).toBe('/ui/streams')
    },
  )

  test('Add stream is there for whoever may add one', async () => {
    for (const [world, count] of [
      [{}, 1],
      [member, 1],
      [reader, 0],
    ] as const) {
      const { inside } = await openScreen('/help', { world })
      expect(inside('banner').queryAllByRole('link', { name: 'Add stream' }).length).toBe(count)
      expect(inside('navigation', 'Toolbar').queryAllByRole('link', { name: 'Add stream' }).length).toBe(count)
    }
  })

  test.each([
    ['/help', 'Help', 'Help'],
    ['/mosaics', 'Mosaics', 'Mosaics'],
    ['/bookmarks', 'Bookmarks', 'Bookmarks'],
    ['/profile/me/info', 'My profile', 'My profile'],
    ['/profile/me/edit', 'My profile', 'My profile'],
    ['/profile/me/tokens', 'My tokens', 'My tokens'],
    ['/user/rob/info', 'User', 'User'],
    ['/user/rob/permission', 'User permission', 'User permission'],
    ['/create-mosaic', 'Create mosaic', 'Create mosaic'],
    ['/user/add', null, 'Add user'],
    ['/administration/stats', null, 'Statistics'],
    ['/administration/users', null, 'Users'],
    ['/administration/audit-logs', null, 'Audit logs'],
  ])('on %s it says %o, the document %o', async (href, header, title) => {
    const { inside } = await openScreen(href)
    expect({ header: inside('banner').queryByRole('heading')?.textContent ?? null, title: document.title }).toEqual({
      header,
      title,
    })
  })

  test.each([
    ['/stream/7/view', 'Stream 7', null],
    ['/stream/7/info', 'Stream info 7', 'page'],
    ['/stream/7/setting', 'Stream settings 7', 'page'],
    ['/stream/7/permission', 'Stream permissions 7', 'page'],
    ['/stream/7/debug', 'Stream debug 7', 'page'],
  ])('on %s the name leads to the view and the info link is current or not', async (href, title, current) => {
    const { inside, send } = await openScreen(href)
    expect(inside('banner').getByRole('link', { name: '7' })).toBeDefined()
    await send({ type: 'page.described', subject: { kind: 'stream', ...subject(true) } })
    const info = inside('banner').getByRole('link', { name: 'Stream info' })
    expect({
      title: document.title,
      view: inside('banner').getByRole('link', { name: 'Yard' }).getAttribute('href'),
      info: info.getAttribute('href'),
      current: info.getAttribute('aria-current'),
    }).toEqual({ title, view: '/ui/stream/7/view', info: '/ui/stream/7/info', current })
  })

  test('the name of a stream does not stay for the next one', async () => {
    const { inside, send, go } = await openScreen('/stream/7/info')
    await send({ type: 'page.described', subject: { kind: 'stream', ...subject(true) } })
    await go('/stream/8/info')
    expect(inside('banner').getByRole('link', { name: '8' })).toBeDefined()
    expect(inside('banner').queryByRole('link', { name: 'Yard' })).toBeNull()
  })

  test('on a mosaic its name leads to watching it; settings only for who administers it', async () => {
    const { inside, send } = await openScreen('/mosaic/7/edit')
    const links = () =>
      inside('banner')
        .getAllByRole('link')
        .map((link) => [namesOf([link])[0], link.getAttribute('href'), link.getAttribute('aria-current')])
    await send({ type: 'page.described', subject: { kind: 'mosaic', ...subject(false) } })
    expect(links().slice(1, -1)).toEqual([['Yard', '/ui/mosaic/7', null]])
    await send({ type: 'page.described', subject: { kind: 'mosaic', ...subject(true) } })
    expect(links().slice(1, -1)).toEqual([
      ['Yard', '/ui/mosaic/7', null],
      ['Mosaic settings', '/ui/mosaic/7/edit', 'page'],
    ])
  })
})

describe('the tool bar', () => {
  test.each([
    ['/help', ['All streams', 'Add stream', 'Mosaics', 'Bookmarks', 'Help'], 'Help'],
    ['/streams', ['All streams', 'Add stream', 'Mosaics', 'Bookmarks', 'Help'], 'All streams'],
    ['/stream/7/debug', ['All streams', 'Add stream', 'Watch', 'Info', 'Settings', 'Permissions', 'Debug'], 'Debug'],
    ['/profile/me/tokens', ['All streams', 'Add stream', 'Info', 'Edit', 'Tokens', 'Sessions'], 'Tokens'],
    ['/user/rob/edit', ['All streams', 'Add stream', 'Info', 'Edit', 'Permissions', 'Sessions'], 'Edit'],
    [
      '/administration/users',
      [
        'All streams',
        'Add stream',
        'Statistics',
        'Configuration',
        'Users',
        'Cluster',
        'License',
        'Server debug',
        'Tunnel',
        'Audit logs',
      ],
      'Users',
    ],
  ])('on %s has %o, and %s is current', async (href, names, current) => {
    const { inside } = await openScreen(href)
    const links = inside('navigation', 'Toolbar').getAllByRole('link')
    expect({
      names: namesOf(links),
      current: namesOf(links.filter((link) => link.hasAttribute('aria-current'))),
    }).toEqual({ names, current: [current] })
  })

  test.each([
    ['/administration/groups/g1', 'Groups', { settings: () => ok(settingsOf({ features: ['groups'] })) }],
    ['/stream/7/masks', 'Settings', { settings: () => ok(settingsOf({ features: ['masks'] })) }],
  ])('on %s, a part of another page, the tab %s is current', async (href, name, world) => {
    const { inside } = await openScreen(href, { world })
    const links = inside('navigation', 'Toolbar').getAllByRole('link')
    const current = links.filter((link) => link.hasAttribute('aria-current'))
    expect(current.map((link) => [...namesOf([link]), link.getAttribute('aria-current')])).toEqual([[name, 'true']])
  })

  test('the row of tabs is scrolled so that the current one is in its middle', async () => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      return this.tagName === 'LI' ? new DOMRect(500, 0, 60, 40) : new DOMRect(100, 0, 300, 40)
    })
    const { inside } = await openScreen('/administration/audit-logs')
    const tab = inside('navigation', 'Toolbar').getByRole('link', { name: 'Audit logs' })
    expect(tab.closest('ul')?.scrollLeft).toBe(280)
  })

  test('tabs carry the params of the page', async () => {
    const { inside } = await openScreen('/stream/a%2Fb/info')
    expect(inside('navigation', 'Toolbar').getByRole('link', { name: 'Watch' }).getAttribute('href')).toBe(
      '/ui/stream/a%2Fb/view',
    )
  })

  test('Tunnel is enabled only with its feature and a licence that is not expired, Cluster only in a cluster', async () => {
    const table = [
      [{ features: ['tunnel'], clusterEnabled: true }, [null, null]],
      [{ features: ['tunnel'], isLicenseExpired: true, clusterEnabled: true }, [null, 'true']],
      [{ features: [] }, ['true', 'true']],
    ] as const
    for (const [fields, disabled] of table) {
      const { inside } = await openScreen('/administration/stats', {
        world: { settings: () => ok(settingsOf(fields)) },
      })
      const found = ['Cluster', 'Tunnel'].map((name) =>
        inside('navigation', 'Toolbar').getByRole('link', { name }).getAttribute('aria-disabled'),
      )
      expect(found).toEqual(disabled)
    }
  })

  test('a stream that one does not administer has its settings, permissions and log disabled', async () => {
    const { inside, send } = await openScreen('/stream/7/info', { world: member })
    const disabled = () =>
      namesOf(
        inside('navigation', 'Toolbar')
          .getAllByRole('link')
          .filter((link) => link.getAttribute('aria-disabled') === 'true'),
      )
    await send({ type: 'page.described', subject: { kind: 'stream', ...subject(false) } })
    expect(disabled()).toEqual(['Settings', 'Permissions', 'Debug'])
    await send({ type: 'page.described', subject: { kind: 'stream', ...subject(true) } })
    expect(disabled()).toEqual([])
  })
})

describe('the menu (docs/behaviour.md §4.2)', () => {
  const everything = { documentation: 'https://docs.example', site: 'https://site.example', version: '4.2' }
  const switcher = { serverSwitcherEnabled: true, servers: [{ name: 'Yard', url: 'https://yard.example' }] }
  const open = async (...screen: Parameters<typeof openScreen>) => {
    const opened = await openScreen(...screen)
    await act(async () => {
      fireEvent.click(opened.getByRole('button', { name: 'Menu' }))
      await settle()
    })
    return opened
  }
  const agent = (userAgent: string, maxTouchPoints = 0) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
    Object.defineProperty(navigator, 'maxTouchPoints', { value: maxTouchPoints, configurable: true })
  }
  const items = (settings: object, user: object, configuration: object = {}) =>
    open('/help', {
      world: {
        settings: () => ok(settingsOf(settings)),
        user: () => ok(userOf(user)),
        configuration: () => ok(configurationOf(configuration)),
      },
    }).then(({ getAllByRole }) => namesOf(getAllByRole('menuitem')))

  test('has its entries by their rules, in order', async () => {
    const all = ['Profile', 'Administration', 'More features', 'Documentation', 'API documentation', 'Log out']
    expect(await items(everything, {})).toEqual(all)
    expect(await items({}, {})).toEqual(all.filter((name) => name !== 'Documentation'))
    expect(await items({ ...everything, isEnterprise: true }, {})).toEqual(
      all.filter((name) => name !== 'More features'),
    )
    expect(await items(everything, { isAdmin: false })).toEqual([
      'Profile',
      'More features',
      'Documentation',
      'Log out',
    ])
  })

  test.each([
    ['an Android phone', 'Mozilla/5.0 (Linux; Android 16; Pixel 10)', 5, true, true],
    ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 5, true, true],
    ['an iPad that asks for desktop sites', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, true, true],
    ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, true, false],
    ['a desktop', 'Mozilla/5.0 (X11; Linux x86_64)', 0, true, false],
    ['an Android phone where it is not enabled', 'Mozilla/5.0 (Linux; Android 16)', 5, false, false],
  ])('Switch server on %s', async (_, userAgent, touch, serverSwitcherEnabled, isThere) => {
    agent(userAgent, touch)
    expect((await items({}, {}, { ...switcher, serverSwitcherEnabled })).includes('Switch server')).toBe(isThere)
  })

  test('without servers to switch to, Switch server is disabled', async () => {
    agent('Mozilla/5.0 (Linux; Android 16; Pixel 10)', 5)
    const { getByRole } = await open('/help', {
      world: { configuration: () => ok(configurationOf({ serverSwitcherEnabled: true })) },
    })
    expect(getByRole('menuitem', { name: 'Switch server' }).getAttribute('aria-disabled')).toBe('true')
  })

  test('links lead where they say', async () => {
    const { getByRole } = await open('/help', {
      world: {
        settings: () => ok(settingsOf(everything)),
        configuration: () => ok(configurationOf({ pricingUrl: 'https://buy.example' })),
      },
    })
    const links = ['Profile', 'Administration', 'More features', 'Documentation', 'API documentation'].map((name) => {
      const item = getByRole('menuitem', { name })
      return [item.getAttribute('href'), item.getAttribute('target')]
    })
    expect(links).toEqual([
      ['/ui/profile/me', null],
      ['/ui/administration', null],
      ['https://buy.example', '_blank'],
      ['https://docs.example', '_blank'],
      ['/ui/swagger', '_blank'],
    ])
  })

  test('shows whether one is an administrator, the version and the edition', async () => {
    const world = (isAdmin: boolean) => ({
      settings: () => ok(settingsOf(everything)),
      user: () => ok(userOf({ isAdmin })),
    })
    expect((await open('/help', { world: world(true) })).getByRole('menu').textContent).toMatch(
      /ann · administrator · version 4\.2 · free edition$/,
    )
    expect((await open('/help', { world: world(false) })).getByRole('menu').textContent).toMatch(
      /ann · version 4\.2 · free edition$/,
    )
  })

  test('a language is chosen in it', async () => {
    const { getByRole, calls } = await open('/help')
    expect(getByRole('menuitemradio', { name: 'English' }).getAttribute('aria-checked')).toBe('true')
    await act(async () => {
      fireEvent.click(getByRole('menuitemradio', { name: 'Русский' }))
      await settle()
    })
    expect(calls.at(-1)).toBe('language ru')
  })

  test('Log out signs out', async () => {
    const { getByRole, where } = await open('/help')
    await act(async () => {
      fireEvent.click(getByRole('menuitem', { name: 'Log out' }))
      await settle()
    })
    expect(where()).toBe('/auth')
  })
})

describe('the banners (docs/behaviour.md §4.4)', () => {
  const expiresAt = '2026-12-01T12:00:00.000Z'
  const world = {
    health: () =>
      ok(
        healthOf([
          { code: 'LICENSE_EXPIRATION', expiresAt },
          { code: 'ALLOC_DIR_DISK_SPACE', usedPercent: 95.5 },
          { code: 'CLUSTER_NODE_DRAINED' },
          { code: 'CLUSTER_NODE_LOST' },
          { code: 'CLUSTER_CLOCK_SKEW' },
          { code: 'SOMETHING_NEW' },
          { code: 'CLOCK_STEPPED_BACK' },
          { code: 'DATABASE_AWAY' },
          { code: 'FFMPEG_NOT_ISOLATED' },
          { code: 'ARCHIVE_TAKEOVER', donePercent: 40 },
          { code: 'ARCHIVE_VOLUME_MISSING', volumes: [{ path: '/mnt/b', bytes: 3e9 }] },
          {
            code: 'ARCHIVE_VOLUME_UNWRITABLE',
            volumes: [
              { path: '/mnt/c', bytes: 0 },
              { path: '/mnt/d', bytes: 0 },
            ],
          },
          { code: 'ARCHIVE_NO_VOLUME' },
          { code: 'ARCHIVE_BUCKET_BEHIND', volumes: [{ path: 's3://site/', bytes: 3e9 }] },
          { code: 'ARCHIVE_BUCKET_CONFLICT', volumes: [{ path: 'door/2026112108/1.mp4', bytes: 0 }] },
          { code: 'ARCHIVE_SPOOL_FULL' },
          { code: 'ARCHIVE_FULL_OF_LOCKED' },
          { code: 'QUOTA_FULL_OF_LOCKED', volumes: [{ path: 'Door', bytes: 3e9 }] },
          { code: 'MQTT_AWAY' },
          { code: 'OIDC_AWAY' },
          { code: 'PROCESSOR_OVERLOADED' },
        ]),
      ),
  }
  const license =
    'License will expire at December 1, 2026. Addition streams and watching archive will be disabled. Upload a new license to ensure uninterrupted service. If you do not have a license you can buy it.'
  const drained = 'This node is drained. Start the node to return to the cluster.'
  const texts = (region: HTMLElement) => [...region.querySelectorAll('p')].map((line) => line.textContent)

  test('say what the catalogue says', async () => {
    const { getByRole } = await openScreen('/help', { world })
    expect(texts(getByRole('region', { name: 'Warnings' }))).toEqual([
      `${license} Upload a license Get a license`,
      'The archive directory is running out of memory, more than 95.5% used.',
      drained,
      'A node of the cluster is not responding. Other nodes record its streams.',
      'The clock of this node is off by more than a second. Recordings are dated by the clock of the database.',
      "The server's clock went back. New recordings may overlap older ones.",
      "The database can't be reached. Recording continues; the archive can be played again when the database is back.",
      "The video decoder isn't isolated from the network on this server.",
      'Recordings of an older version are being converted: 40% done. They can be played meanwhile.',
      "Archive volumes are missing: /mnt/b (3 GB). Recordings on them can't be played until they are back. Nothing is deleted.",
      'Archive volumes are not writable: /mnt/c, /mnt/d.',
      'No archive volume is available: nothing is being recorded.',
      'Recordings are waiting on this server for upload to the bucket: s3://site/ (3 GB). Recording continues.',
      'Recordings stay on this server because the bucket has other objects with the same names: door/2026112108/1.mp4.',
      'The disk is full of recordings that wait for upload to the bucket: nothing is being recorded.',
      'Locked recordings fill the maximum size of the archive. Besides them, only the last half hour is kept.',
      'Locked recordings fill the quota of streams: Door (3 GB). Besides them, only the last half hour is kept.',
      "The MQTT broker can't be reached. Events are kept until it is available again.",
      "The single sign-on service can't be reached. Users can't sign in with it.",
      'The processor of this server is overloaded. Live video may be late, and video that must be transcoded may not play.',
    ])
  })

  test('say what they can where a server leaves out the figures', async () => {
    const health = () => ok(healthOf([{ code: 'LICENSE_EXPIRATION' }, { code: 'ALLOC_DIR_DISK_SPACE' }]))
    const { getByRole } = await openScreen('/help', { world: { health } })
    const [first, second] = texts(getByRole('region', { name: 'Warnings' }))
    expect(first).toContain('License will expire soon. Addition streams')
    expect(second).toBe('The archive directory is running out of memory.')
  })

  test('name the nodes that they concern', async () => {
    const health = () =>
      ok(
        healthOf([
          { code: 'CLUSTER_NODE_DRAINED', nodes: ['north'] },
          { code: 'CLUSTER_NODE_LOST', nodes: ['south', 'west'] },
          { code: 'DATABASE_AWAY', nodes: [] },
        ]),
      )
    const { getByRole } = await openScreen('/help', { world: { health } })
    expect(texts(getByRole('region', { name: 'Warnings' }))).toEqual([
      `Node north: ${drained}`,
      'Nodes south, west are not responding. Other nodes record their streams.',
      expect.stringMatching(/^The database/),
    ])
  })

  test('say it in Russian, with its numbers', async () => {
    const { getByRole } = await openScreen('/help', { world, language: 'ru' })
    const [first = '', second = ''] = texts(getByRole('region', { name: 'Предупреждения' }))
    expect(first).toContain('1 декабря 2026')
    expect(second).toContain('95,5')
  })

  test('link to the upload of a licence, and to where one is to be had', async () => {
    const { inside } = await openScreen('/help', {
      world: { ...world, configuration: () => ok(configurationOf({ pricingUrl: 'https://buy.example' })) },
    })
    const links = inside('region', 'Warnings')
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')])
    expect(links).toEqual([
      ['Upload a license', '/ui/administration/license'],
      ['Get a license', 'https://buy.example'],
    ])
  })

  test('are dismissed one by one, but for the drained node', async () => {
    const { inside, getByRole } = await openScreen('/help', { world })
    vi.spyOn(Date, 'now').mockReturnValue(0)
    for (let left = 19; left > 0; left -= 1) {
      const buttons = inside('region', 'Warnings').getAllByRole('button', { name: 'Dismiss' })
      expect(buttons.length).toBe(left)
      await act(async () => {
        fireEvent.click(buttons[0] ?? document.body)
        await settle()
      })
    }
    expect(texts(getByRole('region', { name: 'Warnings' }))).toEqual([drained])
    expect(inside('region', 'Warnings').queryByRole('button')).toBeNull()
  })

  test('an expired licence says so, with a link to the upload', async () => {
    const { getByRole, inside } = await openScreen('/help', {
      world: { settings: () => ok(settingsOf({ isLicenseExpired: true })) },
    })
    expect(texts(getByRole('region', { name: 'Warnings' }))).toEqual([
      'License is missing or expired. Addition streams and watching archive has been disabled. Upload a license',
    ])
    expect(inside('region', 'Warnings').getByRole('link').getAttribute('href')).toBe('/ui/administration/license')
  })

  test('an update of the server says so until the page is reloaded', async () => {
    const { answers, getByRole, inside, pass, reloads } = await openScreen('/help')
    const notes = () => texts(getByRole('region', { name: 'Warnings' }))
    expect(notes()).toEqual([])
    for (const version of ['4.3', '4.2']) {
      answers.health = () => ok({ ...healthOf(), version })
      await pass(60_000)
      expect(notes()).toEqual(['The server has been updated. Reload the page to use the new version.'])
    }
    fireEvent.click(inside('region', 'Warnings').getByRole('button', { name: 'Reload' }))
    expect(reloads.count).toBe(1)
  })

  test('none where all is well, or where health does not answer', async () => {
    for (const health of [() => ok(healthOf()), () => refused(500, 'InternalServerError')]) {
      const { inside } = await openScreen('/help', { world: { health } })
      expect(inside('region', 'Warnings').queryAllByRole('button')).toEqual([])
    }
  })
})
