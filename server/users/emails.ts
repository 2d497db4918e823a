import type { Email } from '../mail/mail.ts'
import type { Installation, Mailer } from '../mail/mailer.ts'
import type { Account } from './account-store.ts'

type EmailContent = { subject: string; text: string }

/** Sends the code of a password reset. `ip`: of who requested it. */
export const resetCodeEmail = (
  language: string,
  { title, code, minutes, login, ip }: { title: string; code: string; minutes: number; login: string; ip: string },
): EmailContent => {
  if (language.toLowerCase().startsWith('ru')) {
    return {
      subject: `${title}: код для смены пароля`,
      text: [
        `Код для смены пароля пользователя ${login}: ${code}`,
        '',
        `Он действует ${minutes} минут и только один раз. Никому его не сообщайте.`,
        `Код запросили с адреса ${ip}. Если это были не вы, ничего делать не нужно: пароль остаётся прежним.`,
        '',
      ].join('\n'),
    }
  }
  return {
    subject: `${title}: your code to change the password`,
    text: [
      `The code to change the password of ${login}: ${code}`,
      '',
      `It is valid for ${minutes} minutes and works once. Don't share it with anyone.`,
      `It was requested from ${ip}. If it wasn't you, ignore this message: the password hasn't changed.`,
      '',
    ].join('\n'),
  }
}

const credentials = {
  password: { en: 'password', ru: 'пароль' },
  email: { en: 'e-mail address', ru: 'адрес электронной почты' },
  name: { en: 'login', ru: 'логин' },
  secondFactor: { en: 'two-factor authentication', ru: 'способ двухфакторного входа' },
  passkeys: { en: 'list of passkeys', ru: 'список ключей доступа' },
} as const

/** Notifies a user, at the previous address, that a credential was changed; undefined without an address. */
export const credentialChangeEmail = (
  account: Pick<Account, 'login' | 'email' | 'language'>,
  { title, language, what, ip }: Installation & { what: keyof typeof credentials; ip: string },
): Email | undefined => {
  const { login, email: to } = account
  if (to === '') return undefined
  const words = credentials[what]
  if ((account.language || language).toLowerCase().startsWith('ru')) {
    return {
      to,
      subject: `${title}: изменён ${words.ru}`,
      text: [
        `У пользователя ${login} изменён ${words.ru}.`,
        '',
        `Это сделано с адреса ${ip}. Если это были не вы и не ваш администратор, сразу сообщите администратору.`,
        '',
      ].join('\n'),
    }
  }
  return {
    to,
    subject: `${title}: your ${words.en} was changed`,
    text: [
      `The ${words.en} of ${login} was changed.`,
      '',
      `The change was made from ${ip}. If neither you nor your administrator made it, tell your administrator at once.`,
      '',
    ].join('\n'),
  }
}

export const notifyOfChanges = (
  mailer: Mailer,
  before: Account,
  change: { login?: unknown; email?: unknown; passwordHash?: unknown },
  ip: string,
): void => {
  const isChanged = {
    password: change.passwordHash !== undefined,
    email: change.email !== undefined && change.email !== before.email,
    name: change.login !== undefined && change.login !== before.login,
  }
  for (const what of ['password', 'email', 'name'] as const) {
    if (isChanged[what])
      mailer.sendLater((installation) => credentialChangeEmail(before, { ...installation, what, ip }))
  }
}
