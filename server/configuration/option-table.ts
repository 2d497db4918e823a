/** An option of the server. The usage, the packaged configuration file and the manual page are made from them. */
export type Option = {
  /** The name of the variable, also in a configuration file. */
  name: string
  flag?: string
  about: string
  /** A value as in a configuration file: the default, or one that shows the form where there is none. */
  example: string | number | boolean | readonly string[]
}

export const optionTable: readonly Option[] = [
  { name: 'PORT', flag: '--port N', about: 'port to listen on; default 8080', example: 8080 },
  {
    name: 'HOST',
    flag: '--host ADDRESS',
    about: 'address to listen on; 0.0.0.0: all; default 127.0.0.1',
    example: '127.0.0.1',
  },
  { name: 'DATA_DIR', flag: '--data-dir DIR', about: 'database and recordings; default ./data', example: './data' },
  {
    name: 'DATABASE_URL',
    about: 'PostgreSQL instead of a file: postgres://user:password@host/name',
    example: 'postgres://user:password@host:5432/name',
  },
  {
    name: 'ARCHIVE_DIRS',
    about: 'folders of recordings, e.g. /mnt/a/archive:/mnt/b/archive',
    example: ['/mnt/a/archive', '/mnt/b/archive'],
  },
  {
    name: 'ARCHIVE_URL',
    about: 'bucket for recordings: s3://bucket/prefix?endpoint=…&region=…',
    example: 's3://bucket/prefix?endpoint=https://s3.example&region=eu-1&forcePathStyle=true',
  },
  {
    name: 'ARCHIVE_SPOOL_FULL',
    about: 'if the disk fills while the bucket is away: stop or drop-oldest',
    example: 'stop',
  },
  { name: 'MOTION_INDEX', about: 'off: no motion index of recordings; default on', example: 'on' },
  { name: 'NODE_ID', about: 'of several servers on one database: its name', example: 'node-1' },
  { name: 'NODE_URL', about: 'how the other nodes reach it', example: 'https://node-1.example:8443' },
  {
    name: 'CLUSTER_SECRET',
    about: 'the same on all nodes: 32 characters or more',
    example: '',
  },
  {
    name: 'CLUSTER_CA',
    about: 'own authority of the certificates of the nodes, PEM',
    example: '/etc/sightline/cluster-ca.pem',
  },
  {
    name: 'TLS_CERT',
    flag: '--tls-cert FILE',
    about: 'HTTPS: certificate with its chain, PEM',
    example: '/etc/sightline/cert.pem',
  },
  {
    name: 'TLS_KEY',
    flag: '--tls-key FILE',
    about: 'private key of the certificate, PEM',
    example: '/etc/sightline/key.pem',
  },
  { name: 'DEMO', flag: '--no-demo', about: 'DEMO=0: no demo streams on the first start', example: false },
  {
    name: 'UPSTREAM',
    flag: '--upstream URL',
    about: 'serve only the console, and forward /v1 to this server',
    example: 'https://vms.example.org',
  },
  { name: 'ADMIN_LOGIN', about: 'login of the first administrator, created at the start', example: 'admin' },
  { name: 'ADMIN_PASSWORD', about: 'password of the first administrator', example: '' },
  {
    name: 'CONSOLE_CONFIG',
    about: 'file served as /ui/config.json',
    example: '/etc/sightline/console.json',
  },
  { name: 'TRUST_PROXY', about: 'addresses of the reverse proxy, e.g. loopback', example: 'loopback' },
  { name: 'BASE_PATH', about: 'path below which a proxy serves it, e.g. /cameras', example: '/cameras' },
  {
    name: 'ALLOWED_HOSTS',
    about: 'host names of this server, e.g. cams.example.org, *.lan',
    example: ['cams.example.org', '*.lan'],
  },
  {
    name: 'METRICS_ALLOW',
    about: 'addresses that may read metrics, e.g. 10.0.0.0/8, ::1',
    example: ['10.0.0.0/8', '::1'],
  },
  { name: 'LOG_LEVEL', about: 'trace, debug, info, warn, error; default warn', example: 'warn' },
  {
    name: 'SMTP_URL',
    about: 'mail server, e.g. smtp://user:password@host:587',
    example: 'smtp://user:password@host:587',
  },
  {
    name: 'MQTT_URL',
    about: 'broker for states and events: mqtts://user:password@host',
    example: 'mqtts://user:password@host:8883',
  },
  { name: 'MQTT_TOPIC', about: 'prefix of its topics; default sightline', example: 'sightline' },
  { name: 'MQTT_SECRET', about: 'signs the messages, by MQTT 5; 16 to 200 characters', example: '' },
  { name: 'MQTT_CA', about: 'own authority of its certificate, PEM', example: '/etc/sightline/mqtt-ca.pem' },
  { name: 'MQTT_CERT', about: 'certificate of this server for it, PEM', example: '/etc/sightline/mqtt-cert.pem' },
  { name: 'MQTT_KEY', about: 'private key of that certificate, PEM', example: '/etc/sightline/mqtt-key.pem' },
  {
    name: 'OIDC_ISSUER',
    about: 'single sign-on: address of the OpenID Connect provider',
    example: 'https://id.example.org/realms/site',
  },
  { name: 'OIDC_CLIENT_ID', about: 'this server, as the provider knows it', example: 'sightline' },
  { name: 'OIDC_CLIENT_SECRET', about: 'its secret at the provider', example: '' },
  { name: 'OIDC_NAME', about: 'what the button says; default single sign-on', example: 'Example ID' },
  { name: 'OIDC_SCOPE', about: 'default openid profile email', example: 'openid profile email' },
  { name: 'OIDC_GROUPS_CLAIM', about: 'claim that lists the groups; default groups', example: 'groups' },
  { name: 'OIDC_ADMIN_GROUPS', about: 'groups of administrators', example: ['cctv-admins'] },
  { name: 'OIDC_ALLOWED_GROUPS', about: 'groups that may sign in; default all', example: ['cctv', 'cctv-admins'] },
  {
    name: 'OIDC_GROUP_RIGHTS',
    about: 'rights of groups, e.g. guards=canView:Gate *;cctv=canViewArchive:*',
    example: ['guards=canView:Gate *', 'cctv=canViewArchive:*'],
  },
  { name: 'OIDC_GROUPS_HOURS', about: 'hours that groups count without being read again; default 24', example: 24 },
  { name: 'ALLOW_LOOPBACK_SOURCES', about: '1: allow stream sources on this machine', example: false },
  {
    name: 'TUNNEL_COMMAND',
    about: 'command that opens a tunnel to {port}',
    example: ['ssh', '-N', '-R', '8080:127.0.0.1:{port}', 'tunnel@host'],
  },
  {
    name: 'LICENSE_PUBLIC_KEY',
    about: 'Ed25519 public key that verifies licences, base64url',
    example: 'A'.repeat(43),
  },
]
