type CodeLetter = { subject: string; text: string }

/** The letter with a code, in the language of its reader: Russian, else English. */
export const codeLetter = (language: string, to: { title: string; code: string; minutes: number; login: string; ip: string }): CodeLetter => {
  const { title, code, minutes, login, ip } = to
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
      `It is good for ${minutes} minutes and for one use. Tell it to nobody.`,
      `It was asked for from ${ip}. If that wasn't you, there is nothing to do: the password stays as it is.`,
      '',
    ].join('\n'),
  }
}
