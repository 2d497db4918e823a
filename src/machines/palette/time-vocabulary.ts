/** English and Russian words for dates and times, in lower case, with `е` for `ё`. */

/** How many days ago. */
export const dayWords: Readonly<Record<string, number>> = {
  today: 0,
  сегодня: 0,
  yesterday: 1,
  вчера: 1,
  'day before yesterday': 2,
  позавчера: 2,
}

/** From Monday, with the abbreviations of two Russian or three English letters. */
const weekdays: readonly (readonly string[])[] = [
  ['monday', 'mon', 'понедельник', 'пн'],
  ['tuesday', 'tue', 'вторник', 'вт'],
  ['wednesday', 'wed', 'среда', 'среду', 'ср'],
  ['thursday', 'thu', 'четверг', 'чт'],
  ['friday', 'fri', 'пятница', 'пятницу', 'пт'],
  ['saturday', 'sat', 'суббота', 'субботу', 'сб'],
  ['sunday', 'sun', 'воскресенье', 'вс'],
]

/** From 1 for Monday. */
export const weekdayNamed = (word: string): number | null => numberOf(weekdays, word)

const months: readonly (readonly string[])[] = [
  ['january', 'jan', 'января', 'янв'],
  ['february', 'feb', 'февраля', 'фев'],
  ['march', 'mar', 'марта', 'мар'],
  ['april', 'apr', 'апреля', 'апр'],
  ['may', 'мая', 'май'],
  ['june', 'jun', 'июня', 'июн'],
  ['july', 'jul', 'июля', 'июл'],
  ['august', 'aug', 'августа', 'авг'],
  ['september', 'sep', 'сентября', 'сен'],
  ['october', 'oct', 'октября', 'окт'],
  ['november', 'nov', 'ноября', 'ноя'],
  ['december', 'dec', 'декабря', 'дек'],
]

/** From 1 for January. */
export const monthNamed = (word: string): number | null => numberOf(months, word)

function numberOf(names: readonly (readonly string[])[], word: string): number | null {
  const index = names.findIndex((words) => words.includes(word))
  return index < 0 ? null : index + 1
}

export type Unit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks'

const unitWords: Readonly<Record<Unit, readonly string[]>> = {
  seconds: ['s', 'sec', 'secs', 'second', 'seconds', 'с', 'сек', 'секунду', 'секунды', 'секунд'],
  minutes: ['m', 'min', 'mins', 'minute', 'minutes', 'м', 'мин', 'минуту', 'минуты', 'минут'],
  hours: ['h', 'hr', 'hrs', 'hour', 'hours', 'ч', 'час', 'часа', 'часов'],
  days: ['d', 'day', 'days', 'д', 'дн', 'день', 'дня', 'дней'],
  weeks: ['w', 'week', 'weeks', 'нед', 'неделю', 'недели', 'недель'],
}

const units = ['seconds', 'minutes', 'hours', 'days', 'weeks'] as const

export const unitOf = (word: string): Unit | null => units.find((unit) => unitWords[unit].includes(word)) ?? null
