import { fitsPage } from '@parlance/store'

/**
 * The configurations of one page may have this size in all, so that the page fits into a message of the bus. A page of very
 * large ones is shorter than its limit; its cursor works as always.
 */
const maxPageBytes = 384 * 1024
const bytesBesideConfig = 1024

/** The configuration of a revision `d`, or null once the page is full. The window `page` has the order of the rows. */
export const configWithinPage = `
  case when ${fitsPage({ bytes: 'd.config_bytes', beside: bytesBesideConfig, most: maxPageBytes })}
  then d.config end as config`

/** Whether a row was read with its configuration. */
export const hasConfig = ({ config }: { config: unknown }): boolean => config !== null
