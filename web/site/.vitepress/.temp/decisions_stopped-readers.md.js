import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Stopped readers","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/stopped-readers.md","filePath":"decisions/stopped-readers.md"}');
const _sfc_main = { name: "decisions/stopped-readers.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="stopped-readers" tabindex="-1">Stopped readers <a class="header-anchor" href="#stopped-readers" aria-label="Permalink to &quot;Stopped readers&quot;">​</a></h1><p><strong>Context.</strong> The kernel takes a minute of audio for a reader that has stopped, before <code>bufferedAmount</code> grows.</p><p><strong>Measurement.</strong> 64 stopped readers that ask for 600 s of audio each. With a limit in bytes they cost 145 MB (1,003 MB with ten contexts each), and the p99 of other streams rose from 2.4 to 127 ms. With a limit in audio time they cost 17 to 61 MB (182 MB with ten contexts each), and the p99 of others is 0.82 to 1.20 times what it is without them.</p><p><strong>Decision.</strong> The gateway sends a ping behind every eighth second of audio and sends at most ten seconds beyond the last pong.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/stopped-readers.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const stoppedReaders = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  stoppedReaders as default
};
