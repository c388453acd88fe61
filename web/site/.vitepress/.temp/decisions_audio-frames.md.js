import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Audio frames","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/audio-frames.md","filePath":"decisions/audio-frames.md"}');
const _sfc_main = { name: "decisions/audio-frames.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="audio-frames" tabindex="-1">Audio frames <a class="header-anchor" href="#audio-frames" aria-label="Permalink to &quot;Audio frames&quot;">​</a></h1><p><strong>Context.</strong> A 40 ms frame passes from the worker over NATS through the gateway to a WebSocket. A CPU profile with <code>perf</code> showed four fifths of the gateway&#39;s time in promises and async generators, in objects whose shape is looked up each time, and in garbage collection. Reading and writing was 15 %.</p><p><strong>Measurement.</strong> Gateway CPU for a frame beside a bare <code>ws.send</code> of the same bytes:</p><table tabindex="0"><thead><tr><th></th><th>50 streams</th><th>300 streams</th></tr></thead><tbody><tr><td>async generators</td><td>–</td><td>– (garbage collection 17 % of the rest)</td></tr><tr><td>push streams (functions, no generators)</td><td>1.89 ×</td><td>1.70 ×</td></tr><tr><td>fewer functions with state of their own on the way</td><td>1.58 ×</td><td>1.45 ×</td></tr><tr><td>state of a stream as fields of one object</td><td>1.28 ×</td><td>1.32 ×</td></tr><tr><td>the official NATS client; a lost worker is resumed; each part of the way a class of its own</td><td>1.86 ×</td><td>2.02 ×</td></tr></tbody></table><p><strong>Decision.</strong> Audio passes through push streams: a function that is called for each item and returns a promise only when there is no room. With many streams the cost is cache misses, some 0.1 µs each, so the state of a stream is one object. Larger young generations (more full collections) and reading from NATS a millisecond later were tried and dropped.</p><p>The last row does not meet the goal of 1.6 ×. Its profile has no peak: a third is the write to the socket, which the bare server has too; the NATS client takes 7 %, the order and the resumption of speech 12 %, the streams of the bus 7 %, and no function of Parlance takes 5 %. The gateway makes as many system calls for a frame as the bare server. Two changes gave no more than the noise and were dropped: to pass a chunk on without a list around it, where no segment is kept; and a young generation of 1 MB, which the processor&#39;s cache can hold (300 streams: 1.84 × → 1.81 ×; 50 streams: 1.83 × → 2.04 ×). What is left is the price of parts that are read and tested on their own.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/audio-frames.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const audioFrames = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  audioFrames as default
};
