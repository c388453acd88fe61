import type { Person } from '../person.js'
import { amara } from './amara.js'
import { jonas } from './jonas.js'
import { mira } from './mira.js'
import { victor } from './victor.js'

/** Those in the catalog. */
export const people: readonly Person[] = [amara, jonas, mira, victor]
