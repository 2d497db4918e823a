import * as z from 'zod/mini'
import { ProfilePatch } from '../../src/api/contract/user.ts'
import { propertyOf } from '../property-of.ts'

/** A user as the provider describes them. */
export type Person = {
  issuer: string
  /** Identifies the user at the issuer, for good. */
  subject: string
  /** What a new login is made of. */
  nickname: string
  /** Empty if there is none that can be used. */
  email: string
  fullName: string
  groups: readonly string[]
}

const maxNameLength = 90
const maxGroups = 1000
const maxGroupLength = 250

/** The text of a claim on one line, without invisible characters. */
const textOf = (claims: object, name: string): string => {
  const value = propertyOf(claims, name)
  if (typeof value !== 'string') return ''
  return value.slice(0, 1000).toWellFormed().normalize('NFC').replaceAll(/\p{C}/gu, '').replaceAll(/\s+/gu, ' ').trim()
}

/** A claim by its name, else by the path that its dots make: `realm_access.roles`. */
const claimAt = (claims: object, name: string): unknown =>
  propertyOf(claims, name) ?? name.split('.').reduce<unknown>((holder, key) => propertyOf(holder, key), claims)

export const namesGroups = (claims: object, name: string): boolean => claimAt(claims, name) !== undefined

const groupsOf = (claims: object, name: string): readonly string[] => {
  const value = claimAt(claims, name)
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const groups = list.filter((group) => typeof group === 'string' && group !== '' && group.length <= maxGroupLength)
  return [...new Set(groups.map(String))].slice(0, maxGroups).toSorted()
}

/** '' if the provider says that it isn't verified, as it could be anybody's. */
const emailOf = (claims: object): string => {
  const email = textOf(claims, 'email')
  const isValid = z.safeParse(ProfilePatch, { email }).success
  return isValid && propertyOf(claims, 'email_verified') !== false ? email : ''
}

const nicknameOf = (claims: object): string => {
  const named = ['preferred_username', 'nickname', 'email'].map((name) => textOf(claims, name))
  const plain = (named.find((text) => text !== '') ?? '').replaceAll(/[\s/]+/gu, '-').slice(0, maxNameLength)
  return z.safeParse(ProfilePatch, { name: plain }).success ? plain : 'user'
}

type Proved = { issuer: string; subject: string }

export const personOf = ({ issuer, subject }: Proved, claims: object, groupsClaim: string): Person => ({
  issuer,
  subject,
  nickname: nicknameOf(claims),
  email: emailOf(claims),
  fullName: textOf(claims, 'name').slice(0, 200),
  groups: groupsOf(claims, groupsClaim),
})
