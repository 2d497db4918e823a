import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { builtInValues } from '../../../server/configuration/values.ts'
import { readOptions } from '../../../server/options.ts'

const defaults = {
  host: '127.0.0.1',
  port: 8080,
  dataDir: resolve('data'),
  databaseUrl: undefined,
  cluster: undefined,
  archiveDirs: [resolve('data/archive')],
  archiveUrl: undefined,
  dropsOldest: false,
  distDir: resolve('dist'),
  upstream: undefined,
  demo: true,
  administrator: undefined,
  configuration: {},
  trustProxy: undefined,
  basePath: '',
  tls: undefined,
  logLevel: 'warn',
  tunnelCommand: [],
  licenseKey: undefined,
  mqtt: undefined,
  oidc: undefined,
  isMotionIndexed: true,
  allowedHosts: [],
  metricsAllow: undefined,
  defaults: builtInValues,
}

test('options have defaults, take the environment, and before it the command line', () => {
  expect(readOptions([], {})).toEqual(defaults)
  const env = {
    PORT: '9000',
    HOST: '0.0.0.0',
    DATA_DIR: '/var/lib/x',
    DATABASE_URL: 'postgres://a:b@db.example/site',
    ARCHIVE_DIRS: '/mnt/a: /mnt/b/../../var/lib/x/archive/',
    ARCHIVE_URL: 's3://site/a?region=eu-1',
    ARCHIVE_SPOOL_FULL: 'drop-oldest',
    MOTION_INDEX: 'off',
    ADMIN_LOGIN: 'root',
    ADMIN_PASSWORD: 'secret',
    CONSOLE_CONFIG: '',
    TRUST_PROXY: ' loopback,10.0.0.0/8 ',
    BASE_PATH: '/cameras/',
    LOG_LEVEL: 'info',
    TUNNEL_COMMAND: ' ssh  -N ',
    MQTT_URL: 'mqtts://cams:p%40ss@[fd00::1]',
    MQTT_SECRET: 'a secret of 24 letters..',
    UPSTREAM: 'https://a.example',
    METRICS_ALLOW: '10.0.0.0/8, ::1',
    ALLOWED_HOSTS: ' cams.example.org,*.Lan ,камеры.рф',
  }
  const given = {
    host: '0.0.0.0',
    port: 9000,
    dataDir: '/var/lib/x',
    databaseUrl: 'postgres://a:b@db.example/site',
    cluster: undefined,
    archiveDirs: ['/mnt/a', '/var/lib/x/archive'],
    archiveUrl: 's3://site/a?region=eu-1',
    dropsOldest: true,
    isMotionIndexed: false,
    distDir: resolve('dist'),
    upstream: new URL('https://a.example'),
    demo: true,
    administrator: { login: 'root', password: 'secret' },
    configuration: {},
    trustProxy: ' loopback,10.0.0.0/8 ',
    basePath: '/cameras',
    tls: undefined,
    logLevel: 'info',
    allowedHosts: ['cams.example.org', '*.lan', 'xn--80aknjv0e.xn--p1ai'],
    metricsAllow: { has: expect.any(Function) },
    tunnelCommand: ['ssh', '-N'],
    mqtt: {
      host: 'fd00::1',
      port: 8883,
      isSecure: true,
      login: 'cams',
      password: 'p@ss',
      topic: 'sightline',
      secret: 'a secret of 24 letters..',
    },
    oidc: undefined,
    licenseKey: undefined,
    defaults: builtInValues,
  }
  expect(readOptions([], env)).toEqual(given)
  const asked = ['10.0.0.1', '11.0.0.1', '::1', '::2']
  expect(asked.filter((ip) => readOptions([], env)?.metricsAllow?.has(ip))).toEqual(['10.0.0.1', '::1'])
  const args = [
    '--port',
    '0',
    '--host',
    '::1',
    '--data-dir',
    '/tmp/y',
    '--no-demo',
    '--upstream',
    'http://b.example:81',
  ]
  expect(readOptions(args, env)).toEqual({
    ...given,
    port: 0,
    host: '::1',
    dataDir: '/tmp/y',
    archiveDirs: ['/mnt/a', '/var/lib/x/archive'],
    demo: false,
    upstream: new URL('http://b.example:81'),
  })
  expect(readOptions([], { PORT: '', ADMIN_LOGIN: '', ADMIN_PASSWORD: '' })).toEqual(defaults)
  expect(readOptions([], { HOST: 'cams.lan', ALLOWED_HOSTS: 'a' })?.allowedHosts).toEqual(['a', 'cams.lan'])
  expect(readOptions(['--help'], {})).toBeUndefined()
})

test.each([
  'postgres://a:p%23b@db.example/site?options=-c%20search_path%3Dsite',
  'postgresql://a@/site?host=/run/postgresql',
  'postgres://%2Frun%2Fpostgresql/site',
])('%s is an address of a database', (url) => {
  expect(readOptions([], { DATABASE_URL: url })?.databaseUrl).toBe(url)
})

const node = {
  NODE_ID: 'a',
  NODE_URL: 'http://10.0.0.1:8080/',
  CLUSTER_SECRET: 'x'.repeat(32),
  DATABASE_URL: 'postgres://db.example/site',
  ARCHIVE_URL: 's3://site',
}

test('a node has a name, an address and the secret of its cluster', () => {
  expect(readOptions([], node)?.cluster).toEqual({
    nodeId: 'a',
    url: 'http://10.0.0.1:8080',
    secret: 'x'.repeat(32),
  })
})

test.each([
  [['--bogus'], {}, "Unknown option '--bogus'"],
  [[], { PORT: 'x' }, '"x" is not a port'],
  [[], { LOG_LEVEL: 'warning' }, 'LOG_LEVEL takes trace, debug, info, warn or error'],
  [['--port', '70000'], {}, '"70000" is not a port'],
  [['--upstream', 'ftp://a'], {}, '--upstream takes an address like https://host, not "ftp://a"'],
  [['--upstream', 'https://a/b'], {}, '--upstream takes an address like https://host, not "https://a/b"'],
  [['--upstream', 'a.example'], {}, '--upstream takes an address like https://host, not "a.example"'],
  [[], { ALLOWED_HOSTS: 'a,//b' }, 'ALLOWED_HOSTS takes names like cams.example.org or *.example.org, not "//b"'],
  [[], { ALLOWED_HOSTS: '*' }, 'ALLOWED_HOSTS takes names like cams.example.org or *.example.org, not "*"'],
  [[], { ALLOWED_HOSTS: 'a:80' }, 'ALLOWED_HOSTS takes names like cams.example.org or *.example.org, not "a:80"'],
  [[], { METRICS_ALLOW: '10.0.0.0/8, x' }, 'METRICS_ALLOW: "x" is not an address or a network like 10.0.0.0/8'],
  [
    [],
    { TRUST_PROXY: '::1, a.lan' },
    'TRUST_PROXY takes addresses, networks like 10.0.0.0/8, loopback, linklocal and uniquelocal, not "::1, a.lan"',
  ],
  [[], { CONSOLE_CONFIG: '/nowhere/c.json' }, 'CONSOLE_CONFIG: there is no file /nowhere/c.json'],
  [['--tls-cert', 'a.pem'], {}, 'TLS_CERT and TLS_KEY must be set together'],
  [[], { ARCHIVE_URL: 'https://site' }, 'ARCHIVE_URL is no URL of a bucket'],
  [[], { ARCHIVE_URL: 's3://key:secret@site/a' }, 'ARCHIVE_URL must not have credentials or a port'],
  [[], { ARCHIVE_URL: 's3://site/a?endpont=https://x' }, 'ARCHIVE_URL has an unknown option endpont'],
  [[], { ARCHIVE_URL: 's3://site?endpoint=ftp://x' }, 'ARCHIVE_URL has an endpoint that is no http or https URL'],
  [[], { ARCHIVE_URL: 's3://site?endpoint=https://a:b@x' }, 'ARCHIVE_URL must not have credentials in its endpoint'],
  [[], { ARCHIVE_URL: 's3://site?forcePathStyle=yes' }, 'ARCHIVE_URL takes forcePathStyle=true or false'],
  [[], { ARCHIVE_SPOOL_FULL: 'wait' }, 'ARCHIVE_SPOOL_FULL takes stop or drop-oldest'],
  [[], { MOTION_INDEX: 'yes' }, 'MOTION_INDEX takes on or off'],
  [[], { ARCHIVE_DIRS: '/mnt/a::/mnt/b' }, 'ARCHIVE_DIRS takes folders separated by colons'],
  [[], { ARCHIVE_DIRS: '/mnt/a:/mnt/b:/mnt/a/' }, 'ARCHIVE_DIRS names /mnt/a twice'],
  [[], { ARCHIVE_DIRS: '/mnt/a:/mnt/a/b' }, 'ARCHIVE_DIRS: /mnt/a/b lies inside /mnt/a'],
  [[], { ARCHIVE_DIRS: '/mnt/a/b', DATA_DIR: '/mnt/a/b' }, 'ARCHIVE_DIRS: /mnt/a/b/archive lies inside /mnt/a/b'],
  [[], { NODE_ID: 'a' }, 'NODE_ID, NODE_URL and CLUSTER_SECRET must be set together'],
  [[], { ...node, NODE_ID: '../a' }, 'NODE_ID takes up to 60 letters, digits, ".", "_" and "-", not "../a"'],
  [
    [],
    { ...node, NODE_URL: 'a.example' },
    'NODE_URL takes an address like https://node-1.example:8443, not "a.example"',
  ],
  [[], { ...node, CLUSTER_SECRET: 'short' }, 'CLUSTER_SECRET takes at least 32 characters'],
  [[], { ...node, DATABASE_URL: '' }, 'NODE_ID needs a shared database: DATABASE_URL=postgres://…'],
  [[], { ...node, ARCHIVE_URL: '' }, 'NODE_ID needs a shared archive: ARCHIVE_URL=s3://…'],
  [[], { ADMIN_LOGIN: 'root' }, 'ADMIN_LOGIN and ADMIN_PASSWORD must be set together'],
  [[], { LICENSE_PUBLIC_KEY: 'x' }, 'LICENSE_PUBLIC_KEY takes the 32 bytes of an Ed25519 public key in base64url'],
  [[], { TUNNEL_COMMAND: '[1]' }, 'TUNNEL_COMMAND takes a program and its arguments, or a JSON list of them'],
  [[], { MQTT_URL: 'http://a' }, 'MQTT_URL takes an address like mqtts://user:password@host:8883'],
  [[], { MQTT_URL: 'mqtt://a/topic' }, 'MQTT_URL takes an address like mqtts://user:password@host:8883'],
  [[], { MQTT_URL: 'mqtt://a:%x@b' }, 'MQTT_URL takes an address like mqtts://user:password@host:8883'],
  [[], { MQTT_URL: 'mqtt://a', MQTT_TOPIC: 'site/#' }, 'MQTT_TOPIC takes names separated by slashes'],
  [[], { MQTT_TOPIC: 'site' }, 'MQTT_TOPIC needs MQTT_URL'],
  [[], { MQTT_URL: 'mqtt://a', MQTT_SECRET: 'too short' }, 'MQTT_SECRET takes 16 to 200 characters'],
  [[], { DATABASE_URL: 'mysql://db' }, 'DATABASE_URL takes an address like postgres://user:password@host:5432/name'],
  [[], { DATABASE_URL: 'postgres://a:p#b@db/site' }, 'DATABASE_URL: encode the special characters of the password'],
  [[], { DATABASE_URL: 'postgres://a:1#b@db/site' }, 'DATABASE_URL: encode the special characters of the password'],
  [[], { DATABASE_URL: 'postgres://a:1/b@db/site' }, 'DATABASE_URL: encode the special characters of the password'],
  [[], { ARCHIVE_URL: 's3://site/50%' }, 'ARCHIVE_URL has a prefix that is no path'],
  [[], { SMTP_URL: 'smtp://a:%x@b' }, 'SMTP_URL takes an address like smtp://user:password@host:587'],
  [[], { SMTP_URL: 'mail.example.org' }, 'SMTP_URL takes an address like smtp://user:password@host:587'],
  [[], { SETTING_MAIL_PORT: 'x' }, 'SETTING_MAIL_PORT: Must be a number'],
  [[], { SETTING_LIMITS_STREAMS_MAX: '' }, 'SETTING_LIMITS_STREAMS_MAX: Must be a number'],
  [[], { SETTING_AUDIT_IS_ENABLED: 'enabled' }, 'SETTING_AUDIT_IS_ENABLED: Must be true or false'],
  [[], { SETTING_AUDIT_IS_ENABLED: '' }, 'SETTING_AUDIT_IS_ENABLED: Must be true or false'],
  [[], { ALLOW_LOOPBACK_SOURCES: 'enabled' }, 'ALLOW_LOOPBACK_SOURCES takes true or false'],
  [[], { DEMO: 'none' }, 'DEMO takes true or false'],
])('%j %j is reported in words', (args, env, message) => {
  expect(() => readOptions(args, env)).toThrow(message)
})

test.each([
  ['1', true],
  ['true', true],
  ['Yes', true],
  ['on', true],
  ['0', false],
  ['False', false],
  ['no', false],
  ['off', false],
])('%s says %s, of options and settings alike', (text, isOn) => {
  const env = { DEMO: text, ALLOW_LOOPBACK_SOURCES: text, SETTING_AUDIT_IS_ENABLED: text }
  const { demo, defaults } = readOptions([], env) ?? {}
  expect([demo, defaults?.sources.allowLoopback, defaults?.audit.isEnabled]).toEqual([isOn, isOn, isOn])
})

test('every setting has a variable, and mail a short one', () => {
  const env = {
    SETTING_LIMITS_PLAYLIST_MAX_SECONDS: '7200',
    SETTING_APPLICATION_TITLE: 'Depot',
    SETTING_AUDIT_IS_ENABLED: 'false',
    SETTING_TUNNEL_LOCATIONS: 'eu, us',
    SMTP_URL: 'smtps://joe%40x:p%2Fw@mail.example.org',
    SETTING_MAIL_PORT: '4650',
    ALLOW_LOOPBACK_SOURCES: '1',
  }
  expect(readOptions([], env)?.defaults).toEqual({
    ...builtInValues,
    limits: { ...builtInValues.limits, playlistMaxSeconds: 7200 },
    application: { ...builtInValues.application, title: 'Depot' },
    audit: { ...builtInValues.audit, isEnabled: false },
    tunnel: { ...builtInValues.tunnel, locations: ['eu', 'us'] },
    mail: {
      ...builtInValues.mail,
      host: 'mail.example.org',
      port: 4650,
      security: 'tls',
      user: 'joe@x',
      password: 'p/w',
    },
    sources: { allowLoopback: true },
  })
})
