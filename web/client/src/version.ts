/** That of package.json; a test holds them together. */
export const clientVersion = '0.1.0'
