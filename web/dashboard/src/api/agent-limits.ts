/** Written by `npm run generate` from the OpenAPI document. */
export const agentLimits = {
  "display_name": {
    "maxLength": 200
  },
  "description": {
    "maxLength": 2000
  },
  "avatar_id": {
    "maxLength": 200
  },
  "voice_config.tts_variant": {
    "maxLength": 64
  },
  "voice_config.language": {
    "maxLength": 35
  },
  "voice_config.speed": {
    "minimum": 0.5,
    "maximum": 2
  },
  "voice_config.volume": {
    "minimum": 0,
    "maximum": 2
  },
  "system_prompt": {
    "maxLength": 32768
  },
  "first_message": {
    "maxLength": 2000
  },
  "llm_provider": {
    "maxLength": 64
  },
  "llm_model": {
    "maxLength": 200
  },
  "llm_config.temperature": {
    "minimum": 0,
    "maximum": 2
  },
  "llm_config.max_output_tokens": {
    "minimum": 1,
    "maximum": 32768,
    "isInteger": true
  },
  "llm_config.timeout_ms": {
    "minimum": 500,
    "maximum": 120000,
    "isInteger": true
  },
  "stt_config.language": {
    "maxLength": 35
  },
  "turn_config.endpointing_min_ms": {
    "minimum": 0,
    "maximum": 10000,
    "isInteger": true
  },
  "turn_config.endpointing_max_ms": {
    "minimum": 0,
    "maximum": 30000,
    "isInteger": true
  },
  "turn_config.interruption_min_ms": {
    "minimum": 0,
    "maximum": 10000,
    "isInteger": true
  },
  "turn_config.false_interruption_timeout_ms": {
    "minimum": 0,
    "maximum": 30000,
    "isInteger": true
  },
  "session_config.max_duration_seconds": {
    "minimum": 10,
    "maximum": 86400,
    "isInteger": true
  },
  "session_config.silence_timeout_seconds": {
    "minimum": 5,
    "maximum": 3600,
    "isInteger": true
  },
  "session_config.max_concurrent_sessions": {
    "minimum": 1,
    "maximum": 100000,
    "isInteger": true
  },
  "session_config.allowed_origins": {
    "maxItems": 50,
    "maxLength": 255
  },
  "session_config.overrides": {
    "maxItems": 4
  },
  "session_config.public.origins": {
    "maxItems": 50,
    "maxLength": 255
  },
  "session_config.public.per_address_per_hour": {
    "minimum": 1,
    "maximum": 10000,
    "isInteger": true
  },
  "tools": {
    "maxItems": 64
  },
  "tools.description": {
    "maxLength": 1024
  },
  "tools.timeout_ms": {
    "minimum": 100,
    "maximum": 60000,
    "isInteger": true
  },
  "tools.url": {
    "maxLength": 2048
  },
  "tools.allowed_tools": {
    "maxItems": 100,
    "maxLength": 128
  },
  "tools.agents": {
    "maxItems": 50
  },
  "tools.numbers": {
    "maxItems": 50
  },
  "knowledge_files": {
    "maxItems": 100
  }
} as const
