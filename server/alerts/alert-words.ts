export type HappeningKind = 'failed' | 'recovered' | 'event' | 'lost' | 'found' | 'full' | 'freed'

type Words = {
  /** One happening. */
  one: Readonly<Record<HappeningKind, (name: string) => string>>
  /** Several happenings of one kind, for the subject. */
  many: Readonly<Record<HappeningKind, (count: number) => string>>
  reasons: Readonly<Record<string, string>>
  /** Of cameras' own events (docs/wire.md §6.5). */
  labels: ReadonlyMap<string, string>
  /** An event without a label. */
  event: string
  times: (count: number) => string
  more: (count: number) => string
  zone: (zone: string) => string
  sentBy: (name: string) => string
  test: { subject: string; text: string }
}

const en: Words = {
  one: {
    failed: (name) => `${name} failed`,
    recovered: (name) => `${name} recovered`,
    event: (name) => name,
    lost: (node) => `${node === '' ? 'The database' : `Node ${node}`} is not available`,
    found: (node) => `${node === '' ? 'The database' : `Node ${node}`} is available again`,
    full: (node) => (node === '' ? 'Disk problem' : `Disk problem on node ${node}`),
    freed: (node) => (node === '' ? 'Disk problem resolved' : `Disk problem on node ${node} resolved`),
  },
  many: {
    failed: (count) => `${count} cameras failed`,
    recovered: (count) => `${count} cameras recovered`,
    event: (count) => `${count} events`,
    lost: (count) => `${count} nodes or databases are not available`,
    found: (count) => `${count} nodes or databases are available again`,
    full: (count) => `${count} disk problems`,
    freed: (count) => `${count} disk problems resolved`,
  },
  reasons: {
    EHOSTUNREACH: 'the camera does not answer',
    HTTP_NOT_FOUND: 'the camera has no stream at this path',
    HTTP_UNAUTHORIZED: 'the camera rejects the login and password',
    ACCESS_DENIED_ERR: 'the camera denies access',
    ProbeError: "the camera's stream can't be read",
    'The source has no video': 'the camera sends no video',
    'The source stopped sending': 'the camera stopped sending',
    'The source sends no keyframes': 'the camera sends no keyframes',
    'The source sends too much at once': 'the camera sends too much at once',
    'The source changed what it sends': 'the camera keeps changing what it sends',
    'The connection was lost': 'the connection was lost',
    'The disk is full': 'the disk is full',
    DISK_SPACE: 'the disk is nearly full',
    NOT_RECORDED: "the disk can't be written: nothing is recorded",
    VOLUME_AWAY: "a volume of the archive is missing or can't be written",
    DATABASE_AWAY: "the database can't be reached; recording goes on",
    NODE_LOST: 'other nodes record its cameras',
  },
  labels: new Map(),
  event: 'event',
  times: (count) => `${count} times`,
  more: (count) => `… and ${count} more`,
  zone: (zone) => `Times: ${zone}`,
  sentBy: (name) => `Alert: ${name}`,
  test: { subject: 'test', text: 'This is a test message: alerts reach this address.' },
}

const ru: Words = {
  one: {
    failed: (name) => `${name}: камера недоступна`,
    recovered: (name) => `${name}: связь восстановлена`,
    event: (name) => name,
    lost: (node) => (node === '' ? 'База данных недоступна' : `Узел ${node} недоступен`),
    found: (node) => (node === '' ? 'База данных снова доступна' : `Узел ${node} снова доступен`),
    full: (node) => (node === '' ? 'Проблема с диском' : `Проблема с диском узла ${node}`),
    freed: (node) => (node === '' ? 'Проблема с диском устранена' : `Проблема с диском узла ${node} устранена`),
  },
  many: {
    failed: (count) => `недоступных камер: ${count}`,
    recovered: (count) => `восстановлена связь с камерами: ${count}`,
    event: (count) => `событий: ${count}`,
    lost: (count) => `недоступных узлов и баз данных: ${count}`,
    found: (count) => `снова доступных узлов и баз данных: ${count}`,
    full: (count) => `проблем с дисками: ${count}`,
    freed: (count) => `устранено проблем с дисками: ${count}`,
  },
  reasons: {
    EHOSTUNREACH: 'камера не отвечает',
    HTTP_NOT_FOUND: 'по этому пути у камеры ничего нет',
    HTTP_UNAUTHORIZED: 'камера не принимает логин и пароль',
    ACCESS_DENIED_ERR: 'камера отказывает в доступе',
    ProbeError: 'данные камеры не удаётся прочитать',
    'The source has no video': 'камера не передаёт видео',
    'The source stopped sending': 'камера перестала передавать',
    'The source sends no keyframes': 'камера не передаёт ключевых кадров',
    'The source sends too much at once': 'камера передаёт слишком много сразу',
    'The source changed what it sends': 'параметры видео камеры постоянно меняются',
    'The connection was lost': 'связь прервалась',
    'The disk is full': 'диск заполнен',
    DISK_SPACE: 'диск почти заполнен',
    NOT_RECORDED: 'на диск не удаётся записать: запись остановлена',
    VOLUME_AWAY: 'том архива отсутствует или недоступен для записи',
    DATABASE_AWAY: 'база данных недоступна; запись продолжается',
    NODE_LOST: 'его камеры записывают другие узлы',
  },
  labels: new Map([
    ['motion', 'движение'],
    ['line crossing', 'пересечение линии'],
    ['intrusion', 'вторжение в зону'],
    ['digital input', 'тревожный вход'],
    ['sound', 'звук'],
  ]),
  event: 'событие',
  times: (count) => `раз: ${count}`,
  more: (count) => `… и ещё ${count}`,
  zone: (zone) => `Время: ${zone}`,
  sentBy: (name) => `Оповещение: ${name}`,
  test: { subject: 'тестовое сообщение', text: 'Это тестовое сообщение: оповещения приходят на этот адрес.' },
}

/** The texts in a configured language; in English if it isn't known. */
export const wordsIn = (language: string): Words => (language.toLowerCase().startsWith('ru') ? ru : en)
