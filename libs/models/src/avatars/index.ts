export { type AvatarFile, type AvatarModel, avatarFilePath, readAvatarModels } from './avatar-model.js'
