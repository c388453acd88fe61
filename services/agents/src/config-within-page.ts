import { fitsPage } from '@parlance/store'

/**
 * The maximum size of all configurations on one page, so that the page fits into a message of the bus. A page of very large
 * configurations is shorter than its limit; its cursor works as usual.
 */
const maxPageBytes = 384 * 1024
const overheadBytes = 1024

/** The configuration of a revision `d`, or null once the page is full. The window `page` has the order of the rows. */
export const configWithinPage = `
  case when ${fitsPage({ bytes: 'd.config_bytes', overheadBytes, maxBytes: maxPageBytes })}
  then d.config end as config`

/** Whether a row was read with its configuration. */
export const hasConfig = ({ config }: { config: unknown }): boolean => config !== null
