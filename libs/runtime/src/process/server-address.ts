/** The address of a server, or several separated by commas, without users, passwords and parameters, for messages. */
export const withoutCredentials = (url: string): string => url.replaceAll(/\/\/[^@/]*@/g, '//').replace(/\?.*$/, '')
