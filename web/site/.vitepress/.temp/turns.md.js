import { ssrRenderAttrs, ssrRenderAttr } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const _imports_0 = "/docs/assets/turns.ZTkuhm27.svg";
const __pageData = JSON.parse('{"title":"Turns","description":"","frontmatter":{},"headers":[],"relativePath":"turns.md","filePath":"turns.md"}');
const _sfc_main = { name: "turns.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="turns" tabindex="-1">Turns <a class="header-anchor" href="#turns" aria-label="Permalink to &quot;Turns&quot;">​</a></h1><p>A conversation is a sequence of turns: the user says something, the Agent replies.</p><p><img${ssrRenderAttr("src", _imports_0)} alt="A turn of the user, a reply of the Agent, and an interruption"></p><ul><li><strong>A turn ends</strong> when the user was silent for <code>endpointing_min_ms</code> (300) and the words and the sound of the voice seem complete; at the latest after <code>endpointing_max_ms</code> (3,000). With <a href="./push-to-talk">push-to-talk</a> the button ends it.</li><li><strong>The reply begins early.</strong> While the user pauses, the model already writes, and the first words are already spoken into a buffer. They are used when the turn ends with the same words, and dropped otherwise.</li><li><strong>An interruption pauses at once.</strong> Any voice while the Agent speaks pauses its playback. Words end the reply; the transcript keeps what was played. &quot;Mhm&quot;, a cough, or a voice from further away do not: the Agent goes on where it stopped.</li><li><strong>What was played is what counts.</strong> Times, transcript and credit follow the playback of the user&#39;s browser, not the synthesis.</li></ul><p><code>turn_config</code> of the Agent has the numbers. <a href="./conversations#turns">Conversations</a> has every rule, with its figures.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("turns.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const turns = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  turns as default
};
