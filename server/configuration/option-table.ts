/** An option of the server; the usage, the packaged configuration file and the manual page are made from these. */
export type Option = {
  /** Of the variable, and in a configuration file. */
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
    about: 'a bucket for recordings: s3://bucket/prefix?endpoint=…&region=…',
    example: 's3://bucket/prefix?endpoint=https://s3.example&region=eu-1&forcePathStyle=true',
  },
  {
    name: 'ARCHIVE_SPOOL_FULL',
    about: 'while the bucket is away, a full disk: stop, or drop-oldest',
    example: 'stop',
  },
  {
    name: 'TLS_CERT',
    flag: '--tls-cert FILE',
    about: 'speak HTTPS: the certificate and its chain, PEM',
    example: '/etc/sightline/cert.pem',
  },
  { name: 'TLS_KEY', flag: '--tls-key FILE', about: 'and its key', example: '/etc/sightline/key.pem' },
  { name: 'DEMO', flag: '--no-demo', about: 'DEMO=0: no demo streams on the first start', example: false },
  {
    name: 'UPSTREAM',
    flag: '--upstream URL',
    about: 'serve the console alone, before another server',
    example: 'https://vms.example.org',
  },
  { name: 'ADMIN_LOGIN', about: 'create the first administrator', example: 'admin' },
  { name: 'ADMIN_PASSWORD', about: 'and the password', example: '' },
  {
    name: 'CONSOLE_CONFIG',
    about: 'file that /ui/config.json answers',
    example: '/etc/sightline/console.json',
  },
  { name: 'TRUST_PROXY', about: 'addresses of the reverse proxy, e.g. loopback', example: 'loopback' },
  {
    name: 'ALLOWED_HOSTS',
    about: 'names it is called by, e.g. cams.example.org, *.lan',
    example: ['cams.example.org', '*.lan'],
  },
  {
    name: 'METRICS_ALLOW',
    about: 'addresses that read metrics, e.g. 10.0.0.0/8, ::1',
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
  { name: 'MQTT_TOPIC', about: 'what its topics begin with; default sightline', example: 'sightline' },
  { name: 'ALLOW_LOOPBACK_SOURCES', about: '1: streams may come from this machine itself', example: false },
  {
    name: 'TUNNEL_COMMAND',
    about: 'program that makes a tunnel to {port}',
    example: ['ssh', '-N', '-R', '8080:127.0.0.1:{port}', 'tunnel@host'],
  },
  {
    name: 'LICENSE_PUBLIC_KEY',
    about: 'the key of your licences (docs/server.md)',
    example: 'A'.repeat(43),
  },
]
