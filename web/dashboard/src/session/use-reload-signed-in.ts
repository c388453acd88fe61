import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { signedInQuery } from './require-signed-in.js'

/** Returns a function that reads again who is signed in, after the person has changed. */
export const useReloadSignedIn = () => {
  const client = useQueryClient()
  const router = useRouter()
  return async () => {
    await client.invalidateQueries(signedInQuery)
    await router.invalidate()
  }
}
