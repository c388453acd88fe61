import { type Person, ServiceError } from '@parlance/contracts'
import type { PeopleRepository } from './people-repository.js'

/** Throws `not_found`. */
export const findPerson = async (people: Pick<PeopleRepository, 'findByEmail'>, email: string): Promise<Person> => {
  const person = await people.findByEmail(email)
  if (person === undefined) throw new ServiceError('not_found', 'There is no person with this address.')
  return person
}

/**
 * Throws `invalid_request` for a person whose address was not proven: another person may have created the account, and
 * would get the rights that an operator gives to the address.
 */
export const requireVerified = async (people: Pick<PeopleRepository, 'isVerified'>, person: Person): Promise<void> => {
  if (await people.isVerified(person.id)) return
  const next = `Send the person the link of \`npx parlance user password-link ${person.email}\` first.`
  throw new ServiceError('invalid_request', `It is not proven that ${person.email} belongs to this person. ${next}`)
}
